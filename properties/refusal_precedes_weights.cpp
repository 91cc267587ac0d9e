// What is refused is refused before any weight is read: on a directory whose weight file has a lying header, the refusal arrives and not
// the header's error. The same directory with a dtype that is routed shows that the header does lie, or that a byte is left over; `inspect`
// opens it for the scales of an fp8 cache alone.
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"
#include "properties/subjects/engine_program.h"

namespace redproof::properties {
namespace {

bool names_the_weights(const std::string& message) { return message.find("safetensors") != std::string::npos; }

void check(const std::string& flag, const CheckpointOptions& options, bool refused_early, Tally& tally) {
  CheckpointDir const dir(options);
  auto const loaded = load_directory(dir.path(), flag);
  bool const early = loaded.refused && !names_the_weights(loaded.message);
  bool const late = loaded.refused && names_the_weights(loaded.message);
  tally.count(refused_early ? "refused before the weights" : "header errors");
  if (tally.equal(refused_early ? early : late)) {
    tally.witness({std::string(family_name(options.family)), "--kv-cache-dtype " + flag, loaded.refused ? loaded.message : "loaded",
                   refused_early ? "a refusal that names no weight file" : "the header's error"});
  }
}

// A plan needs no weights, whatever their file says. The dtype is declared, not typed: the flag has a gate of its own.
void check_inspect(const char* declared, CheckpointOptions options, bool opens, Tally& tally) {
  if (declared != nullptr) options.quantization_config = declared;
  CheckpointDir const dir(options);
  auto const run = run_engine({"inspect", "--model", dir.path().string()});
  bool const told = run.exit_code == 0 && run.err.empty();
  bool const header = run.exit_code == 1 && names_the_weights(run.err);
  tally.count(opens ? "inspections of weights" : "inspections of documents");
  if (tally.equal(opens ? header : told)) {
    tally.witness({"inspect", declared == nullptr ? "nothing declared" : declared,
                   "exit code " + std::to_string(run.exit_code) + ", " + run.err,
                   opens ? "the header's error" : "the plan, and the weights unopened"});
  }
}

void check_bad_file(CheckpointOptions options, WeightsFile weights, Tally& tally) {
  options.weights = weights;
  for (const char* const flag : {"fp8", "fp8_e4m3"}) check(flag, options, false, tally);
  check_inspect(modelopt_fp8_inline, options, true, tally);
  for (const char* const declared : {static_cast<const char*>(nullptr), R"({"quant_method":"modelopt","kv_cache_quant_algo":"INT8"})",
                                     R"({"quant_method":"modelopt","kv_cache_quant_algo":"NVFP4"})"}) {
    check_inspect(declared, options, false, tally);
  }
}

}  // namespace

LawVerdict refusal_precedes_weights() {
  Law law{"refusal_precedes_weights", "cpu", "exact: which of two errors arrives"};
  law.floors = {{"refused before the weights", 8}, {"header errors", 5}, {"inspections of weights", 2}, {"inspections of documents", 6}};
  law.separates = {"refuse/moved_below_weights", "refuse/deleted", "refuse/inspect_opens_weights", "refuse/trailing_bytes_taken"};
  return run_law(law, [](Draw&, Tally& tally) {
    CheckpointOptions options;
    options.weights = WeightsFile::lying_header;
    for (const char* const flag : {"nvfp4", "fp8_e5m2", "float16", "int8_per_token_head", "no_such_dtype"})
      check(flag, options, true, tally);
    for (const char* const flag : {"auto", "fp8", "bfloat16"}) check(flag, options, false, tally);
    for (auto const weights : {WeightsFile::lying_header, WeightsFile::trailing_byte}) check_bad_file(options, weights, tally);
    options.quantization_config = R"({"quant_method":"modelopt","kv_cache_quant_algo":"NVFP4"})";
    check("auto", options, true, tally);
    options.quantization_config.reset();
    options.extra_config = R"({"architectures":["NoSuchModelForCausalLM"]})";
    check("auto", options, true, tally);
    options.extra_config = R"({"rope_scaling":{"rope_type":"no_such_rope","factor":2.0}})";
    check("auto", options, true, tally);
  });
}

}  // namespace redproof::properties
