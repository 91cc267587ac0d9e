#include "engine/kv/spec.h"

#include <fmt/format.h>

#include <initializer_list>
#include <limits>

#include "engine/kv/address.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();  // block ids are 32 bits wide

bool product(std::initializer_list<std::int64_t> factors, std::int64_t& result) {
  result = 1;
  for (const std::int64_t factor : factors) {
    if (__builtin_mul_overflow(result, factor, &result)) return false;
  }
  return true;
}

std::int64_t require_positive(const char* field, std::int64_t value) {
  if (value > 0) return value;
  throw Refusal(fmt::format("kv cache: {} is {}, it must be positive", field, value));
}

std::int64_t blocks_in_memory(std::int64_t memory_bytes, std::int64_t one_block_bytes) {
  const std::int64_t blocks = memory_bytes / one_block_bytes;
  if (blocks >= 1) return blocks;
  throw Refusal(fmt::format("--kv-cache-memory {}: one block takes {} bytes, not one fits", memory_bytes, one_block_bytes));
}

std::int64_t blocks_asked_for(std::int64_t num_blocks) {
  if (num_blocks >= 1) return num_blocks;
  throw Refusal(fmt::format("--num-blocks {}: at least one block is needed", num_blocks));
}

KvPoolPlan checked_plan(std::int64_t num_blocks, std::int64_t one_block_bytes, const char* flag) {
  KvPoolPlan plan{num_blocks, 0};
  if (num_blocks > most_blocks || !product({num_blocks, one_block_bytes}, plan.bytes)) {
    throw Refusal(fmt::format("{}: {} blocks of {} bytes are more than this engine can address", flag, num_blocks, one_block_bytes));
  }
  return plan;
}

}  // namespace

std::vector<KvLayerSpec> layer_specs(const ModelConfig& config, KvStorage storage, std::int32_t block_tokens) {
  require_positive("num_hidden_layers", config.layers);
  require_positive("num_key_value_heads", config.kv_heads);
  require_positive("head_dim", config.head_dim);
  require_positive("block_tokens", block_tokens);
  if (std::ssize(config.window_tokens) != config.layers) {
    throw Refusal(fmt::format("kv cache: {} sliding windows for {} layers", config.window_tokens.size(), config.layers));
  }
  std::vector<KvLayerSpec> specs;
  for (const std::int64_t window_tokens : config.window_tokens) {
    specs.push_back({storage, config.kv_heads, config.head_dim, block_tokens, window_tokens});
  }
  return specs;
}

std::int64_t block_bytes(const KvLayerSpec& spec) {
  require_positive("block_tokens", spec.block_tokens);
  require_positive("kv_heads", spec.kv_heads);
  require_positive("head_dim", spec.head_dim);
  std::int64_t bytes = 0;
  // mutate: skip(argument_swapped) a product, in whatever order
  if (product({spec.block_tokens, spec.kv_heads, 2, spec.head_dim, element_bytes(spec.storage)}, bytes)) return bytes;
  throw Refusal(fmt::format("kv cache: a block of {} tokens, {} heads and {} lanes exceeds 64 bits", spec.block_tokens, spec.kv_heads,
                            spec.head_dim));
}

std::int64_t block_bytes(std::span<const KvLayerSpec> specs) {
  std::int64_t bytes = 0;
  for (const KvLayerSpec& spec : specs) {
    if (__builtin_add_overflow(bytes, block_bytes(spec), &bytes)) {
      throw Refusal(fmt::format("kv cache: a block of {} layers exceeds 64 bits", specs.size()));
    }
  }
  return bytes;
}

KvPoolPlan plan_pool(std::span<const KvLayerSpec> specs, const KvPoolRequest& request) {
  if (request.num_blocks && request.memory_bytes) throw Refusal("--num-blocks and --kv-cache-memory both give the size: use one of them");
  const std::int64_t one_block_bytes = require_positive("bytes of a block", block_bytes(specs));
  if (request.memory_bytes) {
    return checked_plan(blocks_in_memory(*request.memory_bytes, one_block_bytes), one_block_bytes, "--kv-cache-memory");
  }
  return checked_plan(blocks_asked_for(request.num_blocks.value_or(default_num_blocks)), one_block_bytes, "--num-blocks");
}

}  // namespace redproof::engine
