#include "oracle/address/kv_address.h"

#include <limits>
#include <stdexcept>

namespace redproof::oracle {
namespace {

std::int64_t narrow(Wide value) {
  if (value > std::numeric_limits<std::int64_t>::max()) throw std::overflow_error("a stride does not fit 64 bits");
  return static_cast<std::int64_t>(value);
}

bool below(std::int64_t index, std::int64_t count) { return index >= 0 && index < count; }

}  // namespace

PageStrides contiguous_strides(const PageShape& shape) {
  Wide const lane = shape.element_bytes;
  Wide const head = lane * shape.head_dim;
  std::int64_t const head_bytes = narrow(head);
  std::int64_t const slot_bytes = narrow(Wide{head_bytes} * shape.kv_heads);
  return {narrow(Wide{slot_bytes} * shape.block_tokens), slot_bytes, head_bytes, shape.element_bytes};
}

Wide offset_bytes(const PageStrides& strides, const PageCoordinate& at) {
  return Wide{at.page} * strides.page_bytes + Wide{at.slot} * strides.slot_bytes + Wide{at.head} * strides.head_bytes +
         Wide{at.lane} * strides.lane_bytes;
}

Wide extent_bytes(const PageShape& shape, const PageStrides& strides) {
  if (shape.pages == 0 || shape.block_tokens == 0 || shape.kv_heads == 0 || shape.head_dim == 0) return 0;
  PageCoordinate const last{shape.pages - 1, shape.block_tokens - 1, shape.kv_heads - 1, shape.head_dim - 1};
  return offset_bytes(strides, last) + shape.element_bytes;
}

bool in_shape(const PageShape& shape, const PageCoordinate& at) {
  return below(at.page, shape.pages) && below(at.slot, shape.block_tokens) && below(at.head, shape.kv_heads) &&
         below(at.lane, shape.head_dim);
}

void for_each_element(const PageShape& shape, const PageStrides& strides,
                      const std::function<void(const PageCoordinate&, Wide offset_bytes)>& visit) {
  PageCoordinate at{};
  Wide page = 0;
  for (at.page = 0; at.page < shape.pages; ++at.page, page += strides.page_bytes) {
    Wide slot = page;
    for (at.slot = 0; at.slot < shape.block_tokens; ++at.slot, slot += strides.slot_bytes) {
      Wide head = slot;
      for (at.head = 0; at.head < shape.kv_heads; ++at.head, head += strides.head_bytes) {
        Wide lane = head;
        for (at.lane = 0; at.lane < shape.head_dim; ++at.lane, lane += strides.lane_bytes) visit(at, lane);
      }
    }
  }
}

std::optional<SlotTruth> slot_truth(std::span<const std::int32_t> block_table, std::int64_t position, std::int32_t block_tokens) {
  if (position < 0 || block_tokens <= 0) return std::nullopt;
  std::int64_t rest = position;
  for (auto const page : block_table) {
    if (rest < block_tokens) return SlotTruth{Wide{page} * block_tokens + rest, page, rest};
    rest -= block_tokens;
  }
  return std::nullopt;
}

std::vector<SlotTruth> slots_of_sequence(std::span<const std::int32_t> block_table, std::int64_t tokens, std::int32_t block_tokens) {
  std::vector<SlotTruth> slots;
  for (auto const page : block_table) {
    Wide slot = 0;
    for (std::int64_t block = 0; block < page; ++block) slot += block_tokens;  // every earlier block of the pool holds that many
    for (std::int32_t in_page = 0; in_page < block_tokens; ++in_page, ++slot) {
      if (std::ssize(slots) == tokens) return slots;
      slots.push_back({slot, page, in_page});
    }
  }
  if (std::ssize(slots) < tokens) throw std::out_of_range("the block table is shorter than the sequence");
  return slots;
}

}  // namespace redproof::oracle
