// The cross product of flag, inline document and legacy file: a typed flag outranks both, an inline document that is there outranks the
// legacy file, and what the engine stores is what the plan resolved.
#include "oracle/resolution/kv_dtype.h"
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr const char* inline_documents[] = {
    nullptr,
    "null",
    "{}",
    R"({"quant_method":"modelopt","quant_algo":"FP8"})",
    R"({"quant_method":"modelopt","kv_cache_quant_algo":"FP8"})",
    R"({"quant_method":"modelopt","kv_cache_quant_algo":"NVFP4"})",
    R"({"quant_method":"fp8","kv_cache_quant_algo":"FP8"})",
    R"({"quantization":{"quant_method":"modelopt","quant_algo":"FP8","kv_cache_quant_algo":"FP8"}})",
    R"({"producer":{"name":"modelopt"},"quantization":{"kv_cache_quant_algo":"FP8"}})",
    R"({"quant_method":"modelopt","quantization":{"kv_cache_quant_algo":"FP8"},"kv_cache_scheme":{"num_bits":4,"type":"float"}})",
};
constexpr const char* legacy_documents[] = {
    nullptr,
    "{}",
    R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"FP8","kv_cache_quant_algo":"FP8"}})",
    R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"FP8","kv_cache_quant_algo":"NVFP4"}})",
    R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"FP8"}})",
    R"({"quantization":{"kv_cache_quant_algo":"FP8"}})",
};
constexpr const char* flags[] = {"auto", "fp8", "bfloat16"};

std::string origin_word(engine::KvDtypeOrigin origin) {
  switch (origin) {
    case engine::KvDtypeOrigin::flag:
      return "flag";
    case engine::KvDtypeOrigin::checkpoint:
      return "checkpoint";
    case engine::KvDtypeOrigin::fallback:
      break;
  }
  return "default";
}

std::string origin_truth(const std::string& flag, const std::string& result) {
  if (flag != "auto") return "flag";
  return result == "auto" ? "default" : "checkpoint";
}

std::string storage_word(const std::optional<engine::KvStorage>& storage) {
  if (!storage) return "none";
  return *storage == engine::KvStorage::fp8_e4m3 ? "fp8_e4m3" : "bfloat16";
}

std::string storage_truth(const std::string& result) {
  if (result == "auto" || result == "bfloat16") return "bfloat16";
  return result == "fp8" || result == "fp8_e4m3" ? "fp8_e4m3" : "none";
}

void check_documents(const char* inline_document, const char* legacy, Tally& tally) {
  CheckpointOptions options;
  options.weights = WeightsFile::absent;
  std::optional<std::string> config;
  if (inline_document != nullptr) config = std::string(R"({"quantization_config":)") + inline_document + "}";
  if (config) options.extra_config = *config;
  if (legacy != nullptr) options.hf_quant_config = legacy;
  // A null field of extra_config removes the field: the same to the resolver as upstream's null.
  CheckpointDir const dir(options);
  for (const char* const flag : flags) {
    auto const planned = plan_directory(dir.path(), flag);
    auto const truth = oracle::kv_dtype_truth(config ? std::optional<std::string_view>(*config) : std::nullopt,
                                              legacy != nullptr ? std::optional<std::string_view>(legacy) : std::nullopt, flag);
    std::string observed = "refused";
    std::string wanted = truth.result;
    if (!planned.refused) {
      auto const& dtype = planned.plan.kv_dtype;
      observed = dtype.name + ", origin " + origin_word(dtype.origin) + ", storage " + storage_word(dtype.storage);
    }
    if (truth.result != oracle::refused)
      wanted += ", origin " + origin_truth(flag, truth.result) + ", storage " + storage_truth(truth.result);
    if (inline_document != nullptr && legacy != nullptr) tally.count("both documents");
    if (std::string(flag) != "auto") tally.count("typed flags");
    if (tally.equal(observed == wanted)) {
      tally.witness({std::string("flag ") + flag,
                     std::string("inline ") + (inline_document == nullptr ? "absent" : inline_document) + ", legacy " +
                         (legacy == nullptr ? "absent" : legacy),
                     observed, wanted});
    }
  }
}

}  // namespace

LawVerdict inline_outranks_legacy() {
  Law law{"inline_outranks_legacy", "cpu", "exact: flag, then config.json's quantization_config unless null, then hf_quant_config.json"};
  law.floors = {{"both documents", 100}, {"typed flags", 100}};
  law.separates = {"resolve/legacy_over_inline", "resolve/checkpoint_over_flag"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (const char* const inline_document : inline_documents) {
      for (const char* const legacy : legacy_documents) check_documents(inline_document, legacy, tally);
    }
  });
}

}  // namespace redproof::properties
