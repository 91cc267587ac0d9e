#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/types/kv.h"

namespace redproof::properties {

struct KvShape {
  engine::KvStorage storage = engine::KvStorage::fp8_e4m3;
  std::int64_t pages = 7;
  std::int32_t block_tokens = 5;
  std::int32_t kv_heads = 3;
  std::int32_t head_dim = 20;
  std::int64_t window_tokens = 0;
  engine::KvScales scales = {};
  bool heads_outermost = false;  // within a page; else slots are, and hold their heads side by side
};

// One layer in memory of its own. K and V have different strides and lie apart, with padding behind heads, slots and pages, so that no
// address function that assumes contiguity, or K's strides for V, can be right.
class KvFixture {
 public:
  explicit KvFixture(const KvShape& shape, std::uint8_t fill);
  KvFixture(const KvFixture&) = delete;
  KvFixture& operator=(const KvFixture&) = delete;

  std::uint64_t bits_at(bool value_side, const engine::KvCoordinate& at) const;  // through the oracle's address, not the engine's
  void set_bits(bool value_side, const engine::KvCoordinate& at, std::uint64_t bits);

  engine::KvLayer layer;
  std::vector<std::byte> k_memory;
  std::vector<std::byte> v_memory;

 private:
  std::size_t offset_of(const engine::KvPages& pages, const engine::KvCoordinate& at) const;
};

// A permutation of 0 .. count-1, from a seed.
std::vector<std::int64_t> permutation(std::int64_t count, std::uint64_t seed);

// Where a slot's lane lies.
engine::KvCoordinate coordinate_of(std::int64_t slot, std::int32_t block_tokens, std::int32_t head, std::int32_t lane);

// The next of a stream of 64-bit values (splitmix64).
std::uint64_t next_bits(std::uint64_t& state);

std::string coordinate_text(const char* side, const engine::KvCoordinate& at);
std::string hex(std::uint64_t bits, int digits);

}  // namespace redproof::properties
