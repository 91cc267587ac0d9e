// Through the program's real command line: the flag that was typed is the dtype that runs, and a checkpoint's declaration is announced
// once, exactly when nothing was typed, and never before a refusal, which stands alone. That fp8 runs shows in the warning of a
// checkpoint without scales.
#include <algorithm>

#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"
#include "properties/subjects/engine_program.h"

namespace redproof::properties {
namespace {

enum class Declared : std::uint8_t { nothing, modelopt, compressed };  // fp8, by either producer

// A compressed-tensors declaration leaves the dtype's name `auto`: the line names what the pages hold.
constexpr const char* compressed_fp8 =
    R"({"quant_method": "compressed-tensors", "kv_cache_scheme": {"num_bits": 8, "type": "float", "dynamic": false, "strategy": "tensor", "symmetric": true}})";

struct Case {
  Declared declared;
  std::vector<std::string> flag;  // what is typed
  bool announced;
  const char* storage;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {Declared::modelopt, {}, true, "fp8_e4m3"},
      {Declared::modelopt, {"--kv-cache-dtype", "fp8"}, false, "fp8_e4m3"},
      {Declared::modelopt, {"--kv-cache-dtype", "fp8_e4m3"}, false, "fp8_e4m3"},
      {Declared::modelopt, {"--kv-cache-dtype", "bfloat16"}, false, "bfloat16"},
      {Declared::modelopt, {"--kv-cache-dtype=bfloat16"}, false, "bfloat16"},
      {Declared::compressed, {}, true, "fp8_e4m3"},
      {Declared::compressed, {"--kv-cache-dtype", "fp8"}, false, "fp8_e4m3"},
      {Declared::compressed, {"--kv-cache-dtype", "bfloat16"}, false, "bfloat16"},
      {Declared::nothing, {}, false, "bfloat16"},
      {Declared::nothing, {"--kv-cache-dtype", "auto"}, false, "bfloat16"},
      {Declared::nothing, {"--kv-cache-dtype", "fp8"}, false, "fp8_e4m3"},
      {Declared::nothing, {"--kv-cache-dtype=fp8_e4m3"}, false, "fp8_e4m3"},
  };
  return all;
}

void check(const std::string& where, const std::string& inputs, const std::string& observed, const std::string& truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({where, inputs, observed, truth});
}

CheckpointOptions options_of(const Case& one) {
  CheckpointOptions options;
  if (one.declared == Declared::modelopt) options.quantization_config = modelopt_fp8_inline;
  if (one.declared == Declared::compressed) options.quantization_config = compressed_fp8;
  return options;
}

void check_case(const Case& one, Tally& tally) {
  CheckpointDir const dir(options_of(one));
  std::vector<std::string> generate = {"generate", "--model", dir.path().string(), "--tokens", "1,2,3", "--max-tokens", "2"};
  std::vector<std::string> inspect = {"inspect", "--model", dir.path().string(), "--json"};
  std::string typed = one.declared == Declared::nothing    ? "nothing declared, typed:"
                      : one.declared == Declared::modelopt ? "fp8 declared by ModelOpt, typed:"
                                                           : "fp8 declared by compressed-tensors, typed:";
  for (auto const& word : one.flag) {
    generate.push_back(word);
    inspect.push_back(word);
    typed += " " + word;
  }
  auto const run = run_engine(generate);
  check("generate, exit code", typed, std::to_string(run.exit_code), "0", tally);
  tally.count(one.announced ? "announced" : "not announced");
  check("generate, lines that announce a declaration", typed, std::to_string(lines_with(run.err, "declared by the checkpoint")),
        one.announced ? "1" : "0", tally);
  check("generate, lines that announce " + std::string(one.storage), typed,
        std::to_string(lines_with(run.err, "kv cache dtype: " + std::string(one.storage) + " (declared by the checkpoint)")),
        one.announced ? "1" : "0", tally);
  bool const fp8 = std::string(one.storage) == "fp8_e4m3";
  tally.count(fp8 ? "fp8 runs" : "bfloat16 runs");
  check("generate, warnings about scales of 1.0", typed, std::to_string(lines_with(run.err, "scale")), fp8 ? "1" : "0", tally);
  auto const plan = run_engine(inspect);
  std::string const storage = std::string("\"kv_cache_storage\": \"") + one.storage + "\"";
  check("inspect --json, " + storage, typed, std::to_string(lines_with(plan.out, storage)), "1", tally);
}

// A pool is refused while the engine loads, a token once it has: one line each, whatever was declared and lacks scales.
void check_refusals(const Case& one, Tally& tally) {
  CheckpointDir const dir(options_of(one));
  struct Refused {
    std::vector<std::string> arguments;
    const char* message;
  };
  for (auto const& refused : {Refused{{"--tokens", "1,2,3", "--kv-cache-memory", "7"}, "engine: --kv-cache-memory 7: "},
                              Refused{{"--tokens", "1,67"}, "engine: prompt 0: token 67 "}}) {
    std::vector<std::string> line = {"generate", "--model", dir.path().string()};
    line.insert(line.end(), refused.arguments.begin(), refused.arguments.end());
    line.insert(line.end(), one.flag.begin(), one.flag.end());
    auto const run = run_engine(line);
    bool const alone = std::count(run.err.begin(), run.err.end(), '\n') == 1;
    tally.count(one.announced ? "refusals of a declaration" : "other refusals");
    if (tally.equal(run.exit_code == 1 && run.err.starts_with(refused.message) && alone)) {
      tally.witness({"generate " + refused.arguments.back(), one.announced ? "fp8 declared, nothing typed" : "nothing to announce", run.err,
                     refused.message + std::string("..., alone")});
    }
  }
}

}  // namespace

LawVerdict flag_decides_dtype() {
  Law law{"flag_decides_dtype", "cpu", "exact: counts of lines on standard error, and the resolved storage"};
  law.floors = {{"announced", 2},      {"not announced", 10}, {"fp8 runs", 7}, {"bfloat16 runs", 5}, {"refusals of a declaration", 4},
                {"other refusals", 20}};
  law.separates = {"flag/announces_its_name", "flag/parse_arm_dropped", "flag/not_passed_on", "flag/announced_when_typed",
                   "flag/announced_before_prompts"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const& one : cases()) {
      check_case(one, tally);
      check_refusals(one, tally);
    }
  });
}

}  // namespace redproof::properties
