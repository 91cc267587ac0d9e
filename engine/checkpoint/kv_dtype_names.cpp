#include "engine/checkpoint/kv_dtype_names.h"

#include <array>

namespace redproof::engine {
namespace {

struct Name {
  const char* text;
  std::optional<KvStorage> storage;
};

// vLLM's vllm/config/cache.py, CacheDType, at 5559679229bc. "auto" stores bfloat16 whatever the weights' dtype.
constexpr std::array<Name, 16> names{{
    {"auto", KvStorage::bfloat16},
    {"float16", std::nullopt},
    {"bfloat16", KvStorage::bfloat16},
    {"fp8", KvStorage::fp8_e4m3},
    {"fp8_e4m3", KvStorage::fp8_e4m3},
    {"fp8_e5m2", std::nullopt},
    {"fp8_inc", std::nullopt},
    {"fp8_ds_mla", std::nullopt},
    {"turboquant_k8v4", std::nullopt},
    {"turboquant_4bit_nc", std::nullopt},
    {"turboquant_k3v4_nc", std::nullopt},
    {"turboquant_3bit_nc", std::nullopt},
    {"int4_per_token_head", std::nullopt},
    {"int8_per_token_head", std::nullopt},
    {"fp8_per_token_head", std::nullopt},
    {"nvfp4", std::nullopt},
}};

const Name* find_name(const std::string& name) {
  for (const Name& known : names) {
    if (name == known.text) return &known;
  }
  return nullptr;
}

}  // namespace

std::string kv_dtype_names() {
  std::string list;
  for (const Name& known : names) list += (list.empty() ? "" : ", ") + std::string(known.text);
  return list;
}

bool is_kv_dtype_name(const std::string& name) { return find_name(name) != nullptr; }

std::optional<KvStorage> routed_storage(const std::string& name) {
  const Name* const known = find_name(name);
  return known == nullptr ? std::nullopt : known->storage;
}

}  // namespace redproof::engine
