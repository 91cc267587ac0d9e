#include "tests/engine/kv/layer_fixture.h"

#include <numeric>
#include <utility>

namespace redproof::engine::fixture {
namespace {

std::int64_t bytes_of(KvStorage storage) { return storage == KvStorage::bfloat16 ? 2 : 1; }

// `gap` bytes lie behind every head, twice as many behind every slot, thrice behind every page.
KvPages laid_out(const LayerShape& shape, std::int64_t gap) {
  KvPages pages{nullptr, shape.storage, shape.pages, shape.block_tokens, shape.kv_heads, shape.head_dim, 0, 0, 0};
  const std::int64_t lanes = shape.head_dim * bytes_of(shape.storage);
  if (shape.layout == Layout::heads_outer) {
    pages.slot_stride_bytes = lanes + gap;
    pages.head_stride_bytes = shape.block_tokens * pages.slot_stride_bytes + 2 * gap;
    pages.page_stride_bytes = shape.kv_heads * pages.head_stride_bytes + 3 * gap;
  } else {
    pages.head_stride_bytes = lanes + gap;
    pages.slot_stride_bytes = shape.kv_heads * pages.head_stride_bytes + 2 * gap;
    pages.page_stride_bytes = shape.block_tokens * pages.slot_stride_bytes + 3 * gap;
  }
  return pages;
}

}  // namespace

LayerMemory::LayerMemory(const LayerShape& shape) {
  const bool gaps = shape.layout != Layout::dense;
  layer.spec = {shape.storage, shape.kv_heads, shape.head_dim, shape.block_tokens, shape.window_tokens};
  layer.scales = shape.scales;
  layer.k = laid_out(shape, gaps ? 3 : 0);
  layer.v = laid_out(shape, gaps ? 7 : 0);
  const std::int64_t v_bytes = shape.pages * layer.v.page_stride_bytes;
  const std::int64_t beside_bytes = layer.v.page_stride_bytes + 129;
  const std::int64_t k_bytes = shape.pages * layer.k.page_stride_bytes;
  bytes.assign(static_cast<std::size_t>(3 * beside_bytes + v_bytes + k_bytes), std::byte{0xFF});
  layer.v.data = bytes.data() + beside_bytes;
  layer.k.data = layer.v.data + v_bytes + beside_bytes;
}

std::uint32_t element_bits(const KvPages& pages, std::int64_t page, std::int64_t slot, std::int64_t head, std::int64_t lane) {
  const std::byte* at = pages.data;
  at += page * pages.page_stride_bytes;
  at += slot * pages.slot_stride_bytes;
  at += head * pages.head_stride_bytes;
  at += lane * bytes_of(pages.storage);
  const auto low = static_cast<std::uint32_t>(at[0]);
  return pages.storage == KvStorage::bfloat16 ? low | static_cast<std::uint32_t>(at[1]) << 8 : low;
}

std::uint64_t Numbers::bits() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

float Numbers::unit() { return static_cast<float>(static_cast<std::int64_t>(bits() >> 40) - (1 << 23)) * 0x1p-23F; }

std::vector<float> Numbers::floats(std::size_t count, float amplitude) {
  std::vector<float> values(count);
  for (float& value : values) value = unit() * amplitude;
  return values;
}

std::vector<std::int32_t> Numbers::permutation(std::int32_t count) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[bits() % i]);
  return order;
}

}  // namespace redproof::engine::fixture
