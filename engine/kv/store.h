#pragma once
#include <span>

#include "engine/types/cpu.h"
#include "engine/types/kv.h"
#include "engine/types/tensor.h"

namespace redproof::engine {

// What a projection emitted for one side: [tokens, kv_heads, head_dim], contiguous.
struct KvSource {
  const void* data;
  DType dtype;
};

// Writes tokens to their slots (page * block_tokens + slot). Each side is rounded to bfloat16 first, then, in an fp8 cache,
// byte = RNE_saturating(float(x) / scale): one true float32 division. A slot below 0 writes nothing.
// Throws Refusal: a slot past the end, or pages that disagree with the layer's spec (storage, shape, strides).
void store_kv(const KvSource& k, const KvSource& v, std::span<const std::int64_t> slots, KvLayer& layer, const CpuOptions& cpu);

}  // namespace redproof::engine
