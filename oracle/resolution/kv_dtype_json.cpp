#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <vector>

#include "oracle/resolution/kv_dtype.h"

namespace redproof::oracle {
namespace {

using Json = nlohmann::json;

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::size_t max_document_bytes = std::size_t{64} << 20;
constexpr int max_depth = 64;

// Names that a typed flag may have. Which of them a kernel exists for is no matter of resolution.
constexpr std::array<std::string_view, 16> cache_dtypes{"auto",
                                                        "float16",
                                                        "bfloat16",
                                                        "fp8",
                                                        "fp8_e4m3",
                                                        "fp8_e5m2",
                                                        "fp8_inc",
                                                        "fp8_ds_mla",
                                                        "turboquant_k8v4",
                                                        "turboquant_4bit_nc",
                                                        "turboquant_k3v4_nc",
                                                        "turboquant_3bit_nc",
                                                        "nvfp4",
                                                        "int4_per_token_head",
                                                        "int8_per_token_head",
                                                        "fp8_per_token_head"};

Json parse(std::string_view text, const std::string& document) {
  if (text.size() > max_document_bytes) throw Refused(document + ": larger than 64 MiB");
  std::vector<std::set<std::string>> keys;
  auto const watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    bool const opens = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && depth >= max_depth) throw Refused(document + ": nested deeper than 64");
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
      throw Refused(document + ": duplicate key " + parsed.get<std::string>());
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::exception& error) {
    throw Refused(document + ": " + error.what());
  }
}

// What a missing key, and a lookup in anything but an object, mean upstream: null, and an exception.
Json get(const Json& object, const char* key, const std::string& where, const Json& fallback = nullptr) {
  if (!object.is_object()) throw Refused(where + ": is no object");
  auto const found = object.find(key);
  return found == object.end() ? fallback : *found;
}

// Upstream takes the first declaration that counts as true there: null, false, 0, "", [] and {} do not.
bool is_truthy(const Json& value) {
  if (value.is_null()) return false;
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0.0;
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return !value.empty();
}

// ASCII alone: no other character folds to a letter of a name that is compared with.
std::string folded(std::string text, int (*fold)(int)) {
  std::transform(text.begin(), text.end(), text.begin(), [fold](unsigned char c) { return static_cast<char>(c < 128 ? fold(c) : c); });
  return text;
}

bool equals_number(const Json& value, double number) { return value.is_number() && value.get<double>() == number; }
bool equals_text(const Json& value, std::string_view text) { return value.is_string() && value.get_ref<const std::string&>() == text; }

// The inline object wins, even an empty one; the legacy file is read only where it is missing or null.
Json quantization_document(std::optional<std::string_view> config_json, std::optional<std::string_view> hf_quant_config) {
  Json quantization;
  if (config_json) quantization = get(parse(*config_json, "config.json"), "quantization_config", "config.json");
  if (quantization.is_null() && hf_quant_config) quantization = parse(*hf_quant_config, "hf_quant_config.json");
  if (!quantization.is_null() && !quantization.is_object()) throw Refused("quantization_config: is no object");
  return quantization;
}

// The method that a ModelOpt marker (its producer, or a nested modelopt_quant_config) writes over quant_method; empty: none.
std::string injected_method(const Json& quantization) {
  auto const producer = get(quantization, "producer", "quantization_config", Json::object());
  auto const inner = get(quantization, "quantization", "quantization_config", Json::object());
  bool const from_modelopt = equals_text(get(producer, "name", "producer"), "modelopt");
  bool const legacy = inner.is_object() && inner.contains("modelopt_quant_config");
  if (!from_modelopt && !legacy) return {};
  auto const algo = get(inner, "quant_algo", "quantization");
  if (algo.is_null()) return {};
  if (!algo.is_string()) throw Refused("quantization.quant_algo: is no string");
  auto const name = folded(algo.get<std::string>(), std::toupper);
  if (name == "FP8" || name == "FP8_PER_CHANNEL_PER_TOKEN" || name == "FP8_PB_WO") return "modelopt";
  if (name == "NVFP4") return "modelopt_fp4";
  throw Refused("quantization.quant_algo: unknown ModelOpt algorithm " + name);
}

std::string normalised_method(const Json& quantization) {
  auto injected = injected_method(quantization);
  if (!injected.empty()) return injected;
  auto const method = get(quantization, "quant_method", "quantization_config", "");
  if (!method.is_string()) throw Refused("quantization_config.quant_method: is no string");
  auto const name = folded(method.get<std::string>(), std::tolower);
  return name == "compressed_tensors" ? "compressed-tensors" : name;
}

// Both schemes before both names, the nested one first each time.
Json declaration(const Json& quantization) {
  auto const inner = get(quantization, "quantization", "quantization_config", quantization);
  Json value;
  for (auto const* key : {"kv_cache_scheme", "kv_cache_quant_algo"}) {
    for (auto const* holder : {&inner, &quantization}) {
      value = get(*holder, key, "quantization");
      if (is_truthy(value)) return value;
    }
  }
  return value;
}

KvDtypeTruth declared_dtype(const Json& value) {
  if (value.is_object()) {
    auto const bits = get(value, "num_bits", "kv_cache_scheme");
    bool const is_float = equals_text(get(value, "type", "kv_cache_scheme"), "float");
    auto const dynamic = get(value, "dynamic", "kv_cache_scheme");
    bool const is_static = dynamic.is_boolean() && !dynamic.get<bool>();  // false itself: a missing key does not do
    if (is_static && is_float && equals_number(bits, 8)) return {"fp8_e4m3", false, {}};
    if (is_float && equals_number(bits, 4)) return {"nvfp4", false, {}};
    return {"auto", true, {}};
  }
  if (!value.is_string()) return {"auto", false, {}};
  auto const name = folded(value.get<std::string>(), std::tolower);
  if (name == "fp8") return {"fp8_e4m3", false, {}};
  if (name == "nvfp4") return {"nvfp4", false, {}};
  return {"auto", true, {}};
}

KvDtypeTruth declared_by(const Json& quantization) {
  if (quantization.is_null()) return {"auto", false, {}};
  if (!normalised_method(quantization).starts_with("modelopt")) return {"auto", false, {}};
  return declared_dtype(declaration(quantization));
}

// The word that asks for more than a dtype, in a declaration that was taken or beside it.
std::string asks_beyond(const Json& quantization, const Json& declared) {
  if (declared.is_object() && equals_text(get(declared, "strategy", "kv_cache_scheme"), "attn_head")) return "attn_head";
  auto const inner = get(quantization, "quantization", "quantization_config", quantization);
  for (auto const* word : {"calculate_kv_scales", "kv_cache_dtype_skip_layers"}) {
    if (is_truthy(get(inner, word, "quantization")) || is_truthy(get(quantization, word, "quantization_config"))) return word;
  }
  return {};
}

void require_served(const Json& scheme) {
  auto const strategy = get(scheme, "strategy", "kv_cache_scheme");
  bool const served =
      equals_text(get(scheme, "type", "kv_cache_scheme"), "float") && equals_number(get(scheme, "num_bits", "kv_cache_scheme"), 8) &&
      (equals_text(strategy, "attn_head") || equals_text(strategy, "tensor")) && is_truthy(get(scheme, "symmetric", "kv_cache_scheme"));
  if (!served) throw Refused("kv_cache_scheme: no 8-bit symmetric float scheme of strategy tensor or attn_head");
}

// Of a compressed-tensors document. A scheme whose scales are computed at run time says so itself.
EffectiveKvDtype scheme_dtype(const Json& quantization) {
  auto const scheme = get(quantization, "kv_cache_scheme", "quantization_config");
  if (scheme.is_null()) return {"auto", {}};
  require_served(scheme);
  bool const at_run_time = is_truthy(get(scheme, "dynamic", "kv_cache_scheme"));
  return {"fp8", at_run_time ? "dynamic" : asks_beyond(quantization, scheme)};
}

}  // namespace

KvDtypeTruth kv_dtype_truth(std::optional<std::string_view> config_json, std::optional<std::string_view> hf_quant_config,
                            std::string_view flag) {
  if (std::find(cache_dtypes.begin(), cache_dtypes.end(), flag) == cache_dtypes.end()) {
    return {std::string(refused), false, "flag: no cache dtype"};
  }
  if (flag != "auto") return {std::string(flag), false, {}};
  try {
    return declared_by(quantization_document(config_json, hf_quant_config));
  } catch (const Refused& refusal) {
    return {std::string(refused), false, refusal.what()};
  }
}

EffectiveKvDtype effective_kv_dtype(std::optional<std::string_view> config_json, std::optional<std::string_view> hf_quant_config,
                                    std::string_view flag) {
  auto const resolved = kv_dtype_truth(config_json, hf_quant_config, flag).result;
  if (flag != "auto" || resolved == refused) return {resolved, {}};
  auto const quantization = quantization_document(config_json, hf_quant_config);
  if (quantization.is_null()) return {resolved, {}};
  if (resolved != "auto") return {resolved, asks_beyond(quantization, declaration(quantization))};
  if (normalised_method(quantization) != "compressed-tensors") return {resolved, {}};
  try {
    return scheme_dtype(quantization);
  } catch (const Refused&) {
    return {std::string(refused), {}};
  }
}

}  // namespace redproof::oracle
