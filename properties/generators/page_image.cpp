#include "properties/generators/page_image.h"

#include "oracle/address/kv_address.h"

namespace redproof::properties {
namespace {

std::byte* element_address(const engine::KvPages& pages, const engine::KvCoordinate& at) {
  std::int64_t const bytes = pages.storage == engine::KvStorage::fp8_e4m3 ? 1 : 2;
  oracle::PageStrides const strides{pages.page_stride_bytes, pages.slot_stride_bytes, pages.head_stride_bytes, bytes};
  return pages.data + static_cast<std::int64_t>(oracle::offset_bytes(strides, {at.page, at.slot, at.head, at.lane}));
}

}  // namespace

std::vector<std::byte> side_image(const engine::KvPages& pages) { return {pages.data, pages.data + pages.pages * pages.page_stride_bytes}; }

std::vector<std::vector<std::byte>> cache_image(engine::KvCache& cache) {
  std::vector<std::vector<std::byte>> image;
  for (std::size_t i = 0; i < cache.layers(); ++i) {
    image.push_back(side_image(cache.layer(i).k));
    image.push_back(side_image(cache.layer(i).v));
  }
  return image;
}

std::uint64_t element_bits(const engine::KvPages& pages, const engine::KvCoordinate& at) {
  const std::byte* const address = element_address(pages, at);
  std::uint64_t bits = std::to_integer<std::uint64_t>(address[0]);
  if (pages.storage == engine::KvStorage::bfloat16) bits |= std::to_integer<std::uint64_t>(address[1]) << 8;
  return bits;
}

void set_element_bits(const engine::KvPages& pages, const engine::KvCoordinate& at, std::uint64_t bits) {
  std::byte* const address = element_address(pages, at);
  address[0] = static_cast<std::byte>(bits & 0xFF);
  if (pages.storage == engine::KvStorage::bfloat16) address[1] = static_cast<std::byte>(bits >> 8);
}

}  // namespace redproof::properties
