#pragma once
#include <optional>
#include <span>
#include <vector>

#include "engine/types/kv.h"
#include "engine/types/model.h"

namespace redproof::engine {

inline constexpr std::int64_t default_num_blocks = 256;  // used when neither a count nor a size is asked for
inline constexpr std::int32_t default_block_tokens = 16;

// One spec a layer. Every layer takes its storage from the resolved dtype.
std::vector<KvLayerSpec> layer_specs(const ModelConfig& config, KvStorage storage, std::int32_t block_tokens);

// Bytes of one block (page) of one layer, K and V: block_tokens * kv_heads * 2 * head_dim * element_bytes. Refusal on overflow.
std::int64_t block_bytes(const KvLayerSpec& spec);

// Bytes of one block over all layers: every layer has a page for each block.
std::int64_t block_bytes(std::span<const KvLayerSpec> specs);

struct KvPoolRequest {
  std::optional<std::int64_t> num_blocks;    // --num-blocks
  std::optional<std::int64_t> memory_bytes;  // --kv-cache-memory
};

struct KvPoolPlan {
  std::int64_t num_blocks;
  std::int64_t bytes;  // num_blocks * block_bytes(specs)
};

// memory / block_bytes blocks, the count asked for, or default_num_blocks. Refusal: both asked for, or not one block fits.
KvPoolPlan plan_pool(std::span<const KvLayerSpec> specs, const KvPoolRequest& request);

}  // namespace redproof::engine
