// How the program ends whatever its command: a hang-up, and memory that is not to be had.
#include "tests/catch.h"
#include "tests/engine/cli/program.h"
#include "tests/engine/model/generated.h"
#include "tests/skip.h"

using namespace redproof::tests;
using redproof::properties::CheckpointOptions;

namespace {

// A sanitizer maps more memory than a limit would leave.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

// It announces its dtype, then decodes for long enough to be met at the latest on one of many tries.
std::optional<Finished> hung_up(const std::vector<std::string>& arguments) {
  for (int tries = 0; tries < 100; ++tries) {
    if (const auto finished = hang_up_on_engine(arguments)) return finished;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("a hang-up that nohup lets the program ignore ends nothing", "[cli]") {
  CheckpointOptions options;
  options.quantization_config = redproof::properties::modelopt_fp8_inline;
  options.k_scales = options.v_scales = {0.06F, 0.05F, 0.07F};
  const Generated model(options);
  const std::vector<std::string> run{"generate", "--model", model.path().string(), "--tokens", "1", "--max-tokens", "1000", "--ignore-eos"};
  const auto finished = hung_up(run);
  REQUIRE(finished.has_value());
  CHECK(finished->exit_code == 0);
  CHECK(finished->err == "kv cache dtype: fp8_e4m3 (declared by the checkpoint)\n");
  CHECK(finished->out == run_engine(run).out);
}

TEST_CASE("memory that is not to be had is refused on one line, with what would ask for less", "[cli]") {
  CheckpointOptions options;
  options.tokenizer = true;
  options.vocab = redproof::properties::tokenizer_vocab;
  options.layers = 1;
  options.hidden = 4096;
  options.max_positions = 1 << 20;
  const Generated model(options);
  // Rows of 4096 float32, a row a token: 1.6 GB in one chunk. All else, pages too, is below 200 MB.
  const std::vector<std::string> run{
      "generate",     "--model", model.path().string(), "--prompt", std::string(100'000, 'x'), "--max-tokens", "1", "--block-size", "16384",
      "--num-blocks", "8",       "--threads",           "1",        "--chunk-tokens",          "100000"};
  if (is_sanitized) return skip_case("a sanitizer maps more memory than the limit leaves");
  const auto refused = run_program("engine", run, {}, {.memory_bytes = 1U << 30});
  CHECK(refused.exit_code == 1);
  CHECK(refused.out.empty());
  CHECK(refused.err == "engine: not enough memory: ask for fewer blocks, or for smaller chunks\n");
}
