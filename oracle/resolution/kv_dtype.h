#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace redproof::oracle {

inline constexpr std::string_view refused = "refused";

// One settled case: two documents (absent where empty) and the flag give a dtype name, verbatim, or `refused`.
struct KvDtypeRow {
  std::string_view id;
  std::optional<std::string_view> config_json;
  std::optional<std::string_view> hf_quant_config;
  std::string_view flag;
  std::string_view result;
  bool warns;
};

// A literal table, written down case by case: it shares no rule with the function below. T rows: flag auto. F rows: typed flags, whatever
// the documents say.
std::span<const KvDtypeRow> kv_dtype_rows();

struct KvDtypeTruth {
  std::string result;  // "auto", "fp8_e4m3", "nvfp4", a flag's name, or `refused`
  bool warns;          // a declaration was there and could not be used
  std::string why;     // for refused: which document and field
};

// The rules. A typed flag is returned as it is and no document is read; a name that is no cache dtype is refused.
KvDtypeTruth kv_dtype_truth(std::optional<std::string_view> config_json, std::optional<std::string_view> hf_quant_config,
                            std::string_view flag);

// What the first attention layer makes of the resolved name: `auto` on a compressed-tensors checkpoint with a kv_cache_scheme becomes
// "fp8" where the scheme is {float, 8 bits, strategy tensor or attn_head, symmetric}, and is refused where it is anything else.
// A declaration that is taken may ask for more than a dtype: `asks` then holds the word of the document that does ("attn_head" scales,
// "dynamic", "calculate_kv_scales", "kv_cache_dtype_skip_layers"). An engine that cannot do it has to refuse.
struct EffectiveKvDtype {
  std::string result;
  std::string asks;
};
EffectiveKvDtype effective_kv_dtype(std::optional<std::string_view> config_json, std::optional<std::string_view> hf_quant_config,
                                    std::string_view flag);

struct EffectiveKvDtypeRow {
  std::string_view id;
  std::optional<std::string_view> config_json;
  std::optional<std::string_view> hf_quant_config;
  std::string_view flag;
  std::string_view result;
  std::string_view asks;
};

// Settled cases of effective_kv_dtype, written down one by one like the table above.
std::span<const EffectiveKvDtypeRow> effective_kv_dtype_rows();

}  // namespace redproof::oracle
