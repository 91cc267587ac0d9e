#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "oracle/wide.h"

namespace redproof::oracle {

// One side (K or V) of one layer: [pages, block_tokens, kv_heads, head_dim].
struct PageShape {
  std::int64_t pages;
  std::int64_t block_tokens;
  std::int64_t kv_heads;
  std::int64_t head_dim;
  std::int64_t element_bytes;
};

struct PageStrides {
  std::int64_t page_bytes;
  std::int64_t slot_bytes;
  std::int64_t head_bytes;
  std::int64_t lane_bytes;
};

struct PageCoordinate {
  std::int64_t page;
  std::int64_t slot;  // within the page
  std::int64_t head;
  std::int64_t lane;
};

// Strides of the shape stored without gaps, by counting the bytes that one step passes over. std::overflow_error past 64 bits.
PageStrides contiguous_strides(const PageShape& shape);

// Byte offset of an element from the first one.
Wide offset_bytes(const PageStrides& strides, const PageCoordinate& at);

// Bytes from the first element to the end of the last one.
Wide extent_bytes(const PageShape& shape, const PageStrides& strides);
bool in_shape(const PageShape& shape, const PageCoordinate& at);

// Every element in order of its coordinates, its offset carried along by additions alone.
void for_each_element(const PageShape& shape, const PageStrides& strides,
                      const std::function<void(const PageCoordinate&, Wide offset_bytes)>& visit);

struct SlotTruth {
  Wide slot;  // page * block_tokens + slot_in_page
  std::int64_t page;
  std::int64_t slot_in_page;
};

// Where a position of a sequence lives, by walking the block table block by block. Empty: the table does not reach it, or position < 0.
std::optional<SlotTruth> slot_truth(std::span<const std::int32_t> block_table, std::int64_t position, std::int32_t block_tokens);

// All positions of a sequence of `tokens` tokens, by counting; a padding slot is no position and does not occur here.
// std::out_of_range where the table is too short.
std::vector<SlotTruth> slots_of_sequence(std::span<const std::int32_t> block_table, std::int64_t tokens, std::int32_t block_tokens);

}  // namespace redproof::oracle
