#pragma once
#include <cstddef>
#include <vector>

#include "engine/kv/cache.h"

namespace redproof::properties {

// The bytes of one side of one layer, as they lie in memory.
std::vector<std::byte> side_image(const engine::KvPages& pages);

// All sides of a cache, [layers * 2]: K, V.
std::vector<std::vector<std::byte>> cache_image(engine::KvCache& cache);

// Bits of an element, through the oracle's address.
std::uint64_t element_bits(const engine::KvPages& pages, const engine::KvCoordinate& at);
void set_element_bits(const engine::KvPages& pages, const engine::KvCoordinate& at, std::uint64_t bits);

}  // namespace redproof::properties
