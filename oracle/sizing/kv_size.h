#pragma once
#include <cstdint>
#include <span>

#include "oracle/format.h"
#include "oracle/wide.h"

namespace redproof::oracle {

struct KvSizeLayer {
  std::int64_t block_tokens;
  std::int64_t kv_heads;
  std::int64_t head_dim;
  FloatFormat format;  // bf16 or e4m3fn
};

std::int64_t element_bytes(const FloatFormat& format);

// One page of one side; one block of one layer is a page of K and a page of V; one block of a model is one of every layer.
Wide page_bytes(const KvSizeLayer& layer);
Wide block_bytes(const KvSizeLayer& layer);
Wide block_bytes(std::span<const KvSizeLayer> layers);
Wide pool_bytes(std::span<const KvSizeLayer> layers, std::int64_t num_blocks);

// The most whole blocks that fit, found without a division.
std::int64_t blocks_in(Wide memory_bytes, Wide bytes_of_one_block);

}  // namespace redproof::oracle
