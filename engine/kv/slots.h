#pragma once
#include <cstdint>
#include <span>

namespace redproof::engine {

inline constexpr std::int64_t padding_slot = -1;

// Slot of a position of a sequence: block_table[position / block_tokens] * block_tokens + position % block_tokens.
std::int64_t slot_of(std::span<const std::int32_t> block_table, std::int64_t position, std::int32_t block_tokens);

}  // namespace redproof::engine
