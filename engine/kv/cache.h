#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/types/kv.h"

namespace redproof::engine {

// The pages of all layers. Each side of each layer is an allocation of its own.
class KvCache {
 public:
  // scales: one pair a layer; the cache is their only owner from here on.
  KvCache(std::span<const KvLayerSpec> specs, std::span<const KvScales> scales, std::int64_t num_blocks);

  KvLayer& layer(std::size_t index);
  std::size_t layers() const;
  std::int64_t num_blocks() const;
  std::int64_t allocated_bytes() const;

 private:
  std::vector<std::unique_ptr<std::byte[]>> sides_;  // [layers * 2]: K, V
  std::vector<KvLayer> layers_;
  std::int64_t num_blocks_;
  std::int64_t allocated_bytes_;
};

// Free block ids of a cache. Lowest id first, so that equal histories give equal tables.
class BlockPool {
 public:
  explicit BlockPool(std::int64_t num_blocks);

  std::int32_t take();            // Refusal when none is free
  void give(std::int32_t block);  // Refusal when it is not taken
  std::int64_t free_blocks() const;

 private:
  std::vector<bool> taken_;
  std::int64_t free_;
};

}  // namespace redproof::engine
