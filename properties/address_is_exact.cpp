// The engine's one address function against 128-bit truth, where the page's term alone needs more than 32 bits, and the slot's, the head's
// and the lane's; no memory is touched.
#include <algorithm>

#include "engine/kv/address.h"
#include "oracle/address/kv_address.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

// Coordinates are the last 1000 of each axis, or all where there are fewer.
struct Shape {
  std::int64_t pages;
  std::int32_t block_tokens;
  std::int32_t kv_heads;
  std::int32_t head_dim;
  const char* large;  // the term that no 32 bits hold
};

constexpr Shape shapes[] = {{1000, 16, 9, 80, "none"},
                            {std::int64_t{1} << 21, 16, 9, 80, "page"},
                            {3, 1 << 26, 9, 80, "slot"},
                            {3, 5, 1 << 26, 80, "head"},
                            {3, 5, 2, INT32_MAX, "lane"}};

std::int64_t near_the_end(std::int64_t count, std::uint64_t random) {
  return count - 1 - static_cast<std::int64_t>(random % static_cast<std::uint64_t>(std::min<std::int64_t>(count, 1000)));
}

void check_address(const engine::KvPages& pages, const engine::KvCoordinate& at, const char* large, Tally& tally) {
  std::int64_t const bytes = pages.storage == engine::KvStorage::fp8_e4m3 ? 1 : 2;
  oracle::PageStrides const strides{pages.page_stride_bytes, pages.slot_stride_bytes, pages.head_stride_bytes, bytes};
  auto const truth = oracle::offset_bytes(strides, {at.page, at.slot, at.head, at.lane});
  auto const observed = engine::kv_offset_bytes(pages, at);
  if (truth > (oracle::Wide{1} << 32)) tally.count(std::string("past 32 bits: ") + large);
  if (tally.equal(truth == observed)) {
    tally.witness({coordinate_text("either side", at),
                   "strides of " + std::to_string(pages.page_stride_bytes) + ", " + std::to_string(pages.slot_stride_bytes) + " and " +
                       std::to_string(pages.head_stride_bytes),
                   std::to_string(observed), std::to_string(static_cast<std::int64_t>(truth))});
  }
}

void check_shape(engine::KvStorage storage, const Shape& shape, std::uint64_t seed, Tally& tally) {
  engine::KvPages pages{};
  pages.storage = storage;
  pages.pages = shape.pages;
  pages.block_tokens = shape.block_tokens;
  pages.kv_heads = shape.kv_heads;
  pages.head_dim = shape.head_dim;
  std::int64_t const bytes = storage == engine::KvStorage::fp8_e4m3 ? 1 : 2;
  pages.head_stride_bytes = shape.head_dim * bytes + 4;
  pages.slot_stride_bytes = shape.kv_heads * pages.head_stride_bytes + 12;
  pages.page_stride_bytes = shape.block_tokens * pages.slot_stride_bytes + 20;
  for (int i = 0; i < 4096; ++i) {
    engine::KvCoordinate at{near_the_end(shape.pages, next_bits(seed)),
                            static_cast<std::int32_t>(near_the_end(shape.block_tokens, next_bits(seed))),
                            static_cast<std::int32_t>(near_the_end(shape.kv_heads, next_bits(seed))),
                            static_cast<std::int32_t>(near_the_end(shape.head_dim, next_bits(seed)))};
    if (shape.pages == 3) at.page = 0;  // no page's term hides another's
    check_address(pages, at, shape.large, tally);
  }
}

}  // namespace

LawVerdict address_is_exact() {
  Law law{"address_is_exact", "cpu", "exact: page, slot, head and lane times their strides, in 128 bits"};
  law.floors = {{"past 32 bits: page", 8000}, {"past 32 bits: slot", 8000}, {"past 32 bits: head", 8000}, {"past 32 bits: lane", 4000}};
  law.separates = {"address/int32", "address/slot_32_bits", "address/head_32_bits"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    auto const seed = draw.bits("coordinates");
    for (auto const storage : {engine::KvStorage::fp8_e4m3, engine::KvStorage::bfloat16}) {
      for (auto const& shape : shapes) check_shape(storage, shape, seed, tally);
    }
  });
}

}  // namespace redproof::properties
