#include "properties/generators/kv_fixture.h"

#include <cstring>
#include <numeric>
#include <utility>

#include "oracle/address/kv_address.h"

namespace redproof::properties {
namespace {

using engine::KvCoordinate;
using engine::KvPages;
using engine::KvStorage;

constexpr std::int64_t bytes_of(KvStorage storage) { return storage == KvStorage::fp8_e4m3 ? 1 : 2; }

struct Padding {
  std::int64_t head_bytes;
  std::int64_t slot_bytes;
  std::int64_t page_bytes;
};

// Even numbers, so that a bfloat16 element stays aligned.
constexpr Padding k_padding{2, 6, 10};
constexpr Padding v_padding{4, 14, 34};

KvPages pages_of(const KvShape& shape, const Padding& padding) {
  KvPages pages{};
  pages.storage = shape.storage;
  pages.pages = shape.pages;
  pages.block_tokens = shape.block_tokens;
  pages.kv_heads = shape.kv_heads;
  pages.head_dim = shape.head_dim;
  std::int64_t const lanes_bytes = shape.head_dim * bytes_of(shape.storage);
  if (shape.heads_outermost) {
    pages.slot_stride_bytes = lanes_bytes + padding.slot_bytes;
    pages.head_stride_bytes = shape.block_tokens * pages.slot_stride_bytes + padding.head_bytes;
    pages.page_stride_bytes = shape.kv_heads * pages.head_stride_bytes + padding.page_bytes;
  } else {
    pages.head_stride_bytes = lanes_bytes + padding.head_bytes;
    pages.slot_stride_bytes = shape.kv_heads * pages.head_stride_bytes + padding.slot_bytes;
    pages.page_stride_bytes = shape.block_tokens * pages.slot_stride_bytes + padding.page_bytes;
  }
  return pages;
}

}  // namespace

KvFixture::KvFixture(const KvShape& shape, std::uint8_t fill) {
  layer.spec = {shape.storage, shape.kv_heads, shape.head_dim, shape.block_tokens, shape.window_tokens};
  layer.k = pages_of(shape, k_padding);
  layer.v = pages_of(shape, v_padding);
  layer.scales = shape.scales;
  k_memory.assign(static_cast<std::size_t>(layer.k.page_stride_bytes * shape.pages), std::byte{fill});
  v_memory.assign(static_cast<std::size_t>(layer.v.page_stride_bytes * shape.pages), std::byte{fill});
  layer.k.data = k_memory.data();
  layer.v.data = v_memory.data();
}

std::size_t KvFixture::offset_of(const KvPages& pages, const KvCoordinate& at) const {
  oracle::PageStrides const strides{pages.page_stride_bytes, pages.slot_stride_bytes, pages.head_stride_bytes, bytes_of(pages.storage)};
  return static_cast<std::size_t>(oracle::offset_bytes(strides, {at.page, at.slot, at.head, at.lane}));
}

std::uint64_t KvFixture::bits_at(bool value_side, const KvCoordinate& at) const {
  auto const& memory = value_side ? v_memory : k_memory;
  std::size_t const offset = offset_of(value_side ? layer.v : layer.k, at);
  if (layer.spec.storage == KvStorage::fp8_e4m3) return std::to_integer<std::uint64_t>(memory.at(offset));
  return std::to_integer<std::uint64_t>(memory.at(offset)) | std::to_integer<std::uint64_t>(memory.at(offset + 1)) << 8;
}

void KvFixture::set_bits(bool value_side, const KvCoordinate& at, std::uint64_t bits) {
  auto& memory = value_side ? v_memory : k_memory;
  std::size_t const offset = offset_of(value_side ? layer.v : layer.k, at);
  memory.at(offset) = static_cast<std::byte>(bits & 0xFF);
  if (layer.spec.storage == KvStorage::bfloat16) memory.at(offset + 1) = static_cast<std::byte>(bits >> 8);
}

KvCoordinate coordinate_of(std::int64_t slot, std::int32_t block_tokens, std::int32_t head, std::int32_t lane) {
  return {slot / block_tokens, static_cast<std::int32_t>(slot % block_tokens), head, lane};
}

std::uint64_t next_bits(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

std::vector<std::int64_t> permutation(std::int64_t count, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[next_bits(seed) % i]);
  return order;
}

std::string coordinate_text(const char* side, const KvCoordinate& at) {
  return std::string(side) + " page " + std::to_string(at.page) + " slot " + std::to_string(at.slot) + " head " + std::to_string(at.head) +
         " lane " + std::to_string(at.lane);
}

std::string hex(std::uint64_t bits, int digits) {
  std::string text = "0x";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789ABCDEF"[(bits >> shift) & 15];
  return text;
}

}  // namespace redproof::properties
