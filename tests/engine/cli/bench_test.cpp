// What bench counts, and what it refuses before it measures.
#include "tests/catch.h"
#include "tests/engine/cli/program.h"
#include "tests/engine/model/generated.h"

using namespace redproof::tests;
using redproof::properties::CheckpointOptions;
using redproof::properties::Family;

TEST_CASE("bench takes a pool of exactly its tokens, refuses one block less, and counts of a window's layer what it reads",
          "[cli][report]") {
  CheckpointOptions options;
  options.family = Family::qwen3;
  options.windows = {0, 7, 7};
  const Generated model(options);
  // 13 tokens in blocks of 4.
  const auto bench = [&](const char* blocks) {
    return run_engine({"bench", "--model", model.path().string(), "--prompt-tokens", "9", "--max-tokens", "4", "--block-size", "4",
                       "--num-blocks", blocks, "--format", "json"});
  };
  const auto enough = bench("4");
  CHECK(enough.exit_code == 0);
  // Weights of 2 bytes; at the middle of the run 11 tokens in one layer and 7 in two, K and V, 2 heads of 20, 2 bytes.
  const std::int64_t weights = 3 * (48 * (120 + 40 + 40) + 120 * 48 + 3 * 48 * 56) + 67 * 48;
  CHECK(field_of(enough.out, "bytes_per_token") == std::to_string(2 * weights + (11 + 7 + 7) * 2 * 2 * 20 * 2));
  const auto too_few = bench("3");
  CHECK(too_few.exit_code == 1);
  CHECK(too_few.out.empty());
  CHECK(too_few.err == "engine: bench: 13 tokens need 4 blocks of 4, the pool has 3: raise --num-blocks or --kv-cache-memory\n");
}

TEST_CASE("bench refuses more positions than the model has, as generate does, and takes all that it has", "[cli]") {
  CheckpointOptions options;
  options.max_positions = 13;
  const Generated model(options);
  const auto bench = [&](const char* max_tokens) {
    return run_engine({"bench", "--model", model.path().string(), "--prompt-tokens", "9", "--max-tokens", max_tokens});
  };
  CHECK(bench("4").exit_code == 0);
  const auto refused = bench("5");
  CHECK(refused.exit_code == 1);
  CHECK(refused.out.empty());
  CHECK(refused.err == "engine: bench: --prompt-tokens 9 and --max-tokens 5 are more than max_position_embeddings of 13\n");
}
