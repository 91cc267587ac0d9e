#pragma once
#include <cstdint>
#include <vector>

#include "engine/types/kv.h"

namespace redproof::engine::fixture {

// dense: no gaps. padded: every stride has a gap, those of V others than those of K. heads_outer: slots lie within heads.
enum class Layout : std::uint8_t { dense, padded, heads_outer };

struct LayerShape {
  KvStorage storage = KvStorage::fp8_e4m3;
  std::int32_t kv_heads = 3;
  std::int32_t head_dim = 20;
  std::int32_t block_tokens = 5;
  std::int64_t pages = 7;
  std::int64_t window_tokens = 0;
  Layout layout = Layout::padded;
  KvScales scales{0.06F, 0.35F};
};

// A layer over memory of its own, V before K, with more than a page of other bytes before, between and behind them, where a stray write
// shows. Every byte starts as 0xFF: NaN in both storages.
struct LayerMemory {
  explicit LayerMemory(const LayerShape& shape);
  LayerMemory(const LayerMemory&) = delete;
  LayerMemory& operator=(const LayerMemory&) = delete;

  std::vector<std::byte> bytes;
  KvLayer layer;
};

// Bits of one element, found by counting in the layout's own terms: 8 bits or 16.
std::uint32_t element_bits(const KvPages& pages, std::int64_t page, std::int64_t slot, std::int64_t head, std::int64_t lane);

// Repeatable numbers in [-1, 1), by splitmix64.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits();
  float unit();
  std::vector<float> floats(std::size_t count, float amplitude);
  std::vector<std::int32_t> permutation(std::int32_t count);

 private:
  std::uint64_t state_;
};

}  // namespace redproof::engine::fixture
