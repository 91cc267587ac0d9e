#include "oracle/sizing/kv_size.h"

#include <limits>
#include <stdexcept>

namespace redproof::oracle {

std::int64_t element_bytes(const FloatFormat& format) { return total_bits(format) / 8; }

// Elements of a page: a vector of head_dim a head, kv_heads of them a token, block_tokens tokens.
Wide page_bytes(const KvSizeLayer& layer) {
  Wide const token_elements = Wide{layer.head_dim} * layer.kv_heads;
  return token_elements * layer.block_tokens * element_bytes(layer.format);
}

Wide block_bytes(const KvSizeLayer& layer) {
  Wide const k = page_bytes(layer);
  Wide const v = page_bytes(layer);
  return k + v;
}

Wide block_bytes(std::span<const KvSizeLayer> layers) {
  Wide sum = 0;
  for (auto const& layer : layers) sum += block_bytes(layer);
  return sum;
}

Wide pool_bytes(std::span<const KvSizeLayer> layers, std::int64_t num_blocks) { return block_bytes(layers) * num_blocks; }

std::int64_t blocks_in(Wide memory_bytes, Wide bytes_of_one_block) {
  if (memory_bytes < 0 || bytes_of_one_block <= 0) throw std::invalid_argument("blocks_in: memory below 0, or an empty block");
  if (bytes_of_one_block > memory_bytes) return 0;
  Wide blocks = 1;
  Wide bytes = bytes_of_one_block;
  while (bytes <= memory_bytes - bytes) {  // double while twice as many still fit
    bytes += bytes;
    blocks += blocks;
  }
  Wide total = 0;
  for (Wide rest = memory_bytes; blocks > 0; blocks /= 2, bytes /= 2) {
    if (bytes > rest) continue;
    rest -= bytes;
    total += blocks;
  }
  if (total > std::numeric_limits<std::int64_t>::max()) throw std::overflow_error("more blocks than 64 bits count");
  return static_cast<std::int64_t>(total);
}

}  // namespace redproof::oracle
