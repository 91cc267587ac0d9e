// The engine's one address function against 128-bit truth, up to pages that need more than 32 bits; no memory is touched.
#include "engine/kv/address.h"
#include "oracle/address/kv_address.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

void check_shape(engine::KvStorage storage, std::int64_t first_page, std::uint64_t seed, Tally& tally) {
  engine::KvPages pages{};
  pages.storage = storage;
  pages.pages = std::int64_t{1} << 21;
  pages.block_tokens = 16;
  pages.kv_heads = 9;
  pages.head_dim = 80;
  std::int64_t const bytes = storage == engine::KvStorage::fp8_e4m3 ? 1 : 2;
  pages.head_stride_bytes = 80 * bytes + 4;
  pages.slot_stride_bytes = 9 * pages.head_stride_bytes + 12;
  pages.page_stride_bytes = 16 * pages.slot_stride_bytes + 20;
  oracle::PageStrides const strides{pages.page_stride_bytes, pages.slot_stride_bytes, pages.head_stride_bytes, bytes};
  for (int i = 0; i < 4096; ++i) {
    std::uint64_t const random = next_bits(seed);
    engine::KvCoordinate const at{first_page - static_cast<std::int64_t>(random % 1000), static_cast<std::int32_t>((random >> 10) % 16),
                                  static_cast<std::int32_t>((random >> 20) % 9), static_cast<std::int32_t>((random >> 30) % 80)};
    auto const truth = oracle::offset_bytes(strides, {at.page, at.slot, at.head, at.lane});
    auto const observed = engine::kv_offset_bytes(pages, at);
    if (truth > (oracle::Wide{1} << 32)) tally.count("past 32 bits");
    if (tally.equal(truth == observed)) {
      tally.witness({coordinate_text("either side", at), "page stride " + std::to_string(pages.page_stride_bytes), std::to_string(observed),
                     std::to_string(static_cast<std::int64_t>(truth))});
    }
  }
}

}  // namespace

LawVerdict address_is_exact() {
  Law law{"address_is_exact", "cpu", "exact: page, slot, head and lane times their strides, in 128 bits"};
  law.floors = {{"past 32 bits", 4000}};
  law.separates = {"address/int32"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    auto const seed = draw.bits("coordinates");
    for (auto const storage : {engine::KvStorage::fp8_e4m3, engine::KvStorage::bfloat16}) {
      check_shape(storage, 1000, seed, tally);
      check_shape(storage, (std::int64_t{1} << 21) - 1, seed, tally);
    }
  });
}

}  // namespace redproof::properties
