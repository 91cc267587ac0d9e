#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/checkpoint/file_exists.h"
#include "engine/checkpoint/json_document.h"
#include "engine/checkpoint/kv_dtype.h"
#include "engine/checkpoint/kv_dtype_names.h"
#include "engine/checkpoint/printable.h"
#include "engine/types/error.h"

// The chain of vLLM at 5559679229bc: get_config chooses the document, _normalize_quantization_config its quant_method,
// get_kv_cache_quant_algo_string the dtype. Where Python raises on a document, this refuses.
namespace redproof::engine {
namespace {

using nlohmann::json;

// The quantization document that counts, and where it stands.
struct Quantization {
  json document;
  std::string file;
  std::string prefix;  // of its fields, for messages: "quantization_config." or ""
};

[[noreturn]] void refuse(const Quantization& quantization, const std::string& field, const std::string& why) {
  throw Refusal(fmt::format("{}: {}{}: {}", printable(quantization.file), quantization.prefix, field, why));
}

std::optional<json> read_if_there(const std::filesystem::path& file) {
  if (!file_exists(file)) return std::nullopt;
  return read_json_file(file);
}

// Python's object.get(key, absent).
json get(const json& object, const char* key, const json& absent = nullptr) {
  auto const found = object.find(key);
  return found == object.end() ? absent : *found;
}

// Python's bool(value).
bool is_truthy(const json& value) {
  if (value.is_null()) return false;
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return !value.empty();
}

// Python's value == number: 8.0 equals 8, "8" does not.
bool equals(const json& value, double number) { return value.is_number() && value.get<double>() == number; }

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return text;
}

json inline_document(const std::filesystem::path& file) {
  std::optional<json> const config = read_if_there(file);
  if (!config) return nullptr;
  JsonFields const fields(*config, file.string());
  return fields.value("quantization_config");
}

// The inline document outranks the legacy file, and an empty one still hides it; only null or none lets the legacy file speak.
std::optional<Quantization> find_quantization(const std::filesystem::path& dir) {
  std::filesystem::path const config = dir / "config.json";
  std::filesystem::path const legacy = dir / "hf_quant_config.json";
  json document = inline_document(config);
  if (!document.is_null()) return Quantization{document, config.string(), "quantization_config."};
  document = read_if_there(legacy).value_or(nullptr);
  if (!document.is_null()) return Quantization{document, legacy.string(), ""};
  return std::nullopt;
}

void require_object(const Quantization& quantization) {
  if (quantization.document.is_object()) return;
  std::string const field = quantization.prefix.empty() ? "document" : "quantization_config";
  throw Refusal(fmt::format("{}: {}: {} is not an object", printable(quantization.file), field, brief(quantization.document)));
}

bool is_made_by_modelopt(const Quantization& quantization) {
  json const producer = get(quantization.document, "producer", json::object());
  if (!producer.is_object()) refuse(quantization, "producer", brief(producer) + " is not an object");
  return get(producer, "name") == "modelopt";
}

bool has_legacy_marker(const json& inner) { return inner.is_object() && inner.contains("modelopt_quant_config"); }

// The quant_method that a ModelOpt document's nested quant_algo stands for; none where it is no such document or names no algorithm.
std::optional<std::string> modelopt_method(const Quantization& quantization) {
  json const inner = get(quantization.document, "quantization", json::object());
  bool const made_by_modelopt = is_made_by_modelopt(quantization);
  if (!made_by_modelopt && !has_legacy_marker(inner)) return std::nullopt;
  if (!inner.is_object()) refuse(quantization, "quantization", brief(inner) + " is not an object");
  json const algo = get(inner, "quant_algo");
  if (algo.is_null()) return std::nullopt;
  if (!algo.is_string()) refuse(quantization, "quantization.quant_algo", brief(algo) + " is not a string");
  std::string const name = upper(algo.get<std::string>());
  if (name == "FP8" || name == "FP8_PER_CHANNEL_PER_TOKEN" || name == "FP8_PB_WO") return "modelopt";
  if (name == "NVFP4") return "modelopt_fp4";
  refuse(quantization, "quantization.quant_algo", brief(algo) + " is no known ModelOpt algorithm");
}

std::string written_method(const Quantization& quantization) {
  json const method = get(quantization.document, "quant_method", "");
  if (!method.is_string()) refuse(quantization, "quant_method", brief(method) + " is not a string");
  std::string const name = lower(method.get<std::string>());
  return name == "compressed_tensors" ? "compressed-tensors" : name;
}

// What the document injects overwrites what it wrote.
std::string quant_method(const Quantization& quantization) {
  std::optional<std::string> const injected = modelopt_method(quantization);
  return injected ? *injected : written_method(quantization);
}

struct Declared {
  json value;
  const char* field;
};

// The first truthy of scheme and algorithm, inside before outside; the last one where none is.
Declared first_declared(const Quantization& quantization, const json& inner) {
  const json& outer = quantization.document;
  std::array<Declared, 4> const declared{{
      {get(inner, "kv_cache_scheme"), "kv_cache_scheme"},
      {get(outer, "kv_cache_scheme"), "kv_cache_scheme"},
      {get(inner, "kv_cache_quant_algo"), "kv_cache_quant_algo"},
      {get(outer, "kv_cache_quant_algo"), "kv_cache_quant_algo"},
  }};
  for (const Declared& candidate : declared) {
    if (is_truthy(candidate.value)) return candidate;
  }
  return declared.back();
}

bool is_fp8_scheme(const json& scheme) {
  bool const is_static = get(scheme, "dynamic") == false;  // absent is not false
  return is_static && equals(get(scheme, "num_bits"), 8) && get(scheme, "type") == "float";
}

bool is_nvfp4_scheme(const json& scheme) { return equals(get(scheme, "num_bits"), 4) && get(scheme, "type") == "float"; }

// The KV dtype that a declared value names; none: unknown.
std::optional<std::string> declared_name(const json& value) {
  if (value.is_object() && is_fp8_scheme(value)) return "fp8_e4m3";
  if (value.is_object() && is_nvfp4_scheme(value)) return "nvfp4";
  if (value.is_string() && lower(value.get<std::string>()) == "fp8") return "fp8_e4m3";
  if (value.is_string() && lower(value.get<std::string>()) == "nvfp4") return "nvfp4";
  return std::nullopt;
}

KvDtype fallback(const std::string& warning) { return {"auto", KvDtypeOrigin::fallback, routed_storage("auto"), warning, ""}; }

std::string unknown_declaration(const Quantization& quantization, const Declared& declared) {
  return fmt::format("{}: {}{}: {} is no known KV dtype; the cache stores bfloat16", printable(quantization.file), quantization.prefix,
                     declared.field, brief(declared.value));
}

// What a document asks for beyond the dtype, and no kernel does. Empty: nothing.
std::string unrouted_request(const Quantization& quantization, const json& inner, const json& scheme) {
  if (scheme.is_object() && get(scheme, "strategy") == "attn_head") return "strategy attn_head: per-head scales";
  for (const json* const part : {&inner, &quantization.document}) {
    if (is_truthy(get(*part, "calculate_kv_scales"))) return "calculate_kv_scales: scale calculation at run time";
    if (is_truthy(get(*part, "kv_cache_dtype_skip_layers"))) return "kv_cache_dtype_skip_layers: skipped layers";
  }
  return "";
}

KvDtype taken(const std::string& name, const std::string& unrouted_reason) {
  std::optional<KvStorage> const storage = unrouted_reason.empty() ? routed_storage(name) : std::nullopt;
  return {name, KvDtypeOrigin::checkpoint, storage, "", unrouted_reason};
}

KvDtype resolve_modelopt(const Quantization& quantization) {
  json const inner = get(quantization.document, "quantization", quantization.document);
  if (!inner.is_object()) refuse(quantization, "quantization", brief(inner) + " is not an object");
  Declared const declared = first_declared(quantization, inner);
  std::optional<std::string> const name = declared_name(declared.value);
  if (name) return taken(*name, unrouted_request(quantization, inner, declared.value));
  bool const warns = declared.value.is_object() || declared.value.is_string();  // upstream is silent on other types
  return fallback(warns ? unknown_declaration(quantization, declared) : "");
}

// What upstream's compressed-tensors refuses of a scheme, and what no kernel here does. Empty: nothing.
std::string unrouted_scheme(const json& scheme) {
  if (!scheme.is_object()) return "kv_cache_scheme: not an object";
  json const strategy = get(scheme, "strategy");
  if (get(scheme, "type") != "float") return fmt::format("kv_cache_scheme: type {}", brief(get(scheme, "type")));
  if (!equals(get(scheme, "num_bits"), 8)) return fmt::format("kv_cache_scheme: num_bits {}", brief(get(scheme, "num_bits")));
  if (strategy == "attn_head") return "kv_cache_scheme: strategy attn_head: per-head scales";
  if (strategy != "tensor") return fmt::format("kv_cache_scheme: strategy {}", brief(strategy));
  if (!is_truthy(get(scheme, "symmetric"))) return "kv_cache_scheme: not symmetric";
  if (is_truthy(get(scheme, "dynamic"))) return "kv_cache_scheme: dynamic: scale calculation at run time";
  return "";
}

// Upstream's resolver leaves "auto"; its attention layer then stores fp8 for any scheme that it accepts.
KvDtype resolve_compressed_tensors(const Quantization& quantization) {
  json const scheme = get(quantization.document, "kv_cache_scheme");
  if (scheme.is_null()) return fallback("");
  std::string reason = unrouted_scheme(scheme);
  if (reason.empty()) reason = unrouted_request(quantization, quantization.document, scheme);
  KvDtype dtype = taken("fp8", reason);
  dtype.name = "auto";
  return dtype;
}

KvDtype resolve_declared(const std::filesystem::path& dir) {
  std::optional<Quantization> const quantization = find_quantization(dir);
  if (!quantization) return fallback("");
  require_object(*quantization);
  std::string const method = quant_method(*quantization);
  if (method.starts_with("modelopt")) return resolve_modelopt(*quantization);
  if (method == "compressed-tensors") return resolve_compressed_tensors(*quantization);
  return fallback("");
}

KvDtype take_flag(const std::string& flag) {
  if (!is_kv_dtype_name(flag)) {
    throw Refusal(fmt::format("--kv-cache-dtype: \"{}\" is none of {}", printable(flag), kv_dtype_names()));
  }
  return {flag, KvDtypeOrigin::flag, routed_storage(flag), "", ""};
}

}  // namespace

KvDtype resolve_kv_dtype(const std::string& flag, const std::filesystem::path& dir) {
  if (flag != "auto") return take_flag(flag);
  return resolve_declared(dir);
}

}  // namespace redproof::engine
