#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace redproof::engine {

enum class KvStorage : std::uint8_t { bfloat16, fp8_e4m3 };
enum class KvDtypeOrigin : std::uint8_t { flag, checkpoint, fallback };  // fallback: printed as "default"

// The one answer to "what does the KV cache hold". Everything that sizes, stores or reads takes `storage` from here.
struct KvDtype {
  std::string name;  // as resolved: "auto", "bfloat16", "fp8", "fp8_e4m3", "nvfp4", ...
  KvDtypeOrigin origin;
  std::optional<KvStorage> storage;  // empty: no kernel of this engine is routed for it
  std::string warning;               // empty: none
  std::string unrouted_reason = {};  // why storage is empty, where the name alone does not say it (per-head scales, ...)
};

// value = decode(byte) * scale; byte = nearest(value / scale). One pair a layer. A bfloat16 cache ignores them.
struct KvScales {
  float k = 1.0F;
  float v = 1.0F;
};

enum class KvScaleOrigin : std::uint8_t { checkpoint, k_for_both, undeclared, unused };  // unused: a bfloat16 cache

struct KvLayerSpec {
  KvStorage storage;
  std::int32_t kv_heads;
  std::int32_t head_dim;
  std::int32_t block_tokens;
  std::int64_t window_tokens;  // 0: full attention
};

// One side (K or V) of one layer: a strided view of [pages, block_tokens, kv_heads, head_dim]. K and V need not be adjacent.
struct KvPages {
  std::byte* data;
  KvStorage storage;
  std::int64_t pages;
  std::int32_t block_tokens;
  std::int32_t kv_heads;
  std::int32_t head_dim;
  std::int64_t page_stride_bytes;
  std::int64_t slot_stride_bytes;
  std::int64_t head_stride_bytes;
};

struct KvCoordinate {
  std::int64_t page;
  std::int32_t slot;  // within the page, in tokens
  std::int32_t head;
  std::int32_t lane;
};

struct KvLayer {
  KvLayerSpec spec;
  KvPages k;
  KvPages v;
  KvScales scales;
};

}  // namespace redproof::engine
