#pragma once
#include <span>

namespace redproof::tests {

inline constexpr const char* absent = nullptr;   // no such file
inline constexpr const char* refused = nullptr;  // the resolver refuses

// Two documents, flag auto: the KV dtype, or the end of the document's name and the field that the refusal names.
struct KvDtypeRow {
  const char* id;
  const char* config_json;
  const char* hf_quant_config;
  const char* name;
  const char* refusal;
  bool warns;
};

std::span<const KvDtypeRow> kv_dtype_rows();

}  // namespace redproof::tests
