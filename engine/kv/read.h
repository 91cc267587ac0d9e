#pragma once
#include <span>

#include "engine/types/cpu.h"
#include "engine/types/kv.h"

namespace redproof::engine {

// Decodes `tokens` tokens of one KV head, from `first_position` of the sequence, into out [tokens, head_dim], float32, NOT scaled:
// attention multiplies scores by the K scale and its output by the V scale.
void read_tile(const KvPages& pages, std::span<const std::int32_t> block_table, std::int64_t first_position, std::int64_t tokens,
               std::int32_t kv_head, CpuIsa isa, float* out);

// Throws Refusal where the pages of a layer disagree with its spec. Store and attention call it before they touch memory.
void require_agreement(const KvLayer& layer);

}  // namespace redproof::engine
