#include "engine/kv/slots.h"

#include <fmt/format.h>

#include "engine/types/error.h"

namespace redproof::engine {

std::int64_t slot_of(std::span<const std::int32_t> block_table, std::int64_t position, std::int32_t block_tokens) {
  if (position < 0 || position / block_tokens >= std::ssize(block_table)) {
    throw Refusal(
        fmt::format("block table: position {} lies outside of {} blocks of {} tokens", position, block_table.size(), block_tokens));
  }
  const std::int64_t block = block_table[static_cast<std::size_t>(position / block_tokens)];
  // Its slots would pass for padding.
  if (block < 0) throw Refusal(fmt::format("block table: block {} at position {}", block, position));
  return block * block_tokens + position % block_tokens;
}

}  // namespace redproof::engine
