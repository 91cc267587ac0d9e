// A dtype that no kernel is routed for is refused when an engine is built, by a message that names the architecture and what was typed;
// the plan still tells what it resolved to.
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void check_refused(const std::string& flag, const CheckpointOptions& options, const std::vector<std::string>& names, Tally& tally) {
  CheckpointDir const dir(options);
  auto const loaded = load_directory(dir.path(), flag);
  tally.count("refused");
  std::string missing;
  for (auto const& name : names) {
    if (!contains(loaded.message, name)) missing += " " + name;
  }
  if (tally.equal(loaded.refused && missing.empty())) {
    tally.witness({family_name(options.family), "--kv-cache-dtype " + flag, loaded.refused ? loaded.message : "loaded",
                   "a refusal that names" + missing});
  }
}

void check_family(Family family, Tally& tally) {
  CheckpointOptions options;
  options.family = family;
  std::string const architecture = family_name(family);
  for (const char* const flag : {"nvfp4", "fp8_e5m2", "float16", "fp8_inc", "int8_per_token_head"}) {
    check_refused(flag, options, {architecture, "--kv-cache-dtype", flag}, tally);
  }
  options.quantization_config = R"({"quant_method":"modelopt","kv_cache_quant_algo":"NVFP4"})";
  check_refused("auto", options, {architecture, "nvfp4"}, tally);
  options.quantization_config =
      R"({"quant_method":"modelopt","kv_cache_scheme":{"num_bits":8,"type":"float","dynamic":false,"strategy":"attn_head","symmetric":true}})";
  check_refused("auto", options, {architecture, "attn_head"}, tally);
  options.quantization_config.reset();
  for (const char* const flag : {"auto", "bfloat16", "fp8", "fp8_e4m3"}) {
    CheckpointDir const dir(options);
    auto const loaded = load_directory(dir.path(), flag);
    tally.count("routed");
    if (tally.equal(!loaded.refused)) tally.witness({architecture, std::string("--kv-cache-dtype ") + flag, loaded.message, "loaded"});
  }
}

void check_plan_of_nvfp4(Tally& tally) {
  CheckpointOptions options;
  options.weights = WeightsFile::absent;
  CheckpointDir const dir(options);
  auto const planned = plan_directory(dir.path(), "nvfp4");
  bool const told = !planned.refused && planned.plan.kv_dtype.name == "nvfp4" && !planned.plan.kv_dtype.storage;
  tally.count("plans of what is not routed");
  if (tally.equal(told))
    tally.witness({"plan", "--kv-cache-dtype nvfp4", planned.refused ? planned.message : planned.plan.kv_dtype.name, "nvfp4, no storage"});
}

}  // namespace

LawVerdict unrouted_dtype_is_refused() {
  Law law{"unrouted_dtype_is_refused", "cpu", "exact: refused or not, and which names the message holds"};
  law.floors = {{"refused", 28}, {"routed", 16}, {"plans of what is not routed", 1}};
  law.separates = {"refuse/deleted", "refuse/architecture_not_named"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const family : {Family::llama, Family::qwen2, Family::qwen3, Family::mistral}) check_family(family, tally);
    check_plan_of_nvfp4(tally);
  });
}

}  // namespace redproof::properties
