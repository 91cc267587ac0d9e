#include "engine/kv/cache.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <new>

#include "engine/kv/address.h"
#include "engine/kv/spec.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

// A fresh page holds NaN in both storages (e4m3fn 0xFF, bfloat16 0xFFFF): a read of a slot that nobody wrote shows in every result
// that it reaches, where zeros would pass for tokens without weight.
constexpr int unwritten_byte = 0xFF;

// [pages, block_tokens, kv_heads, head_dim] without gaps.
KvPages dense_pages(const KvLayerSpec& spec, std::int64_t num_blocks) {
  KvPages pages{nullptr, spec.storage, num_blocks, spec.block_tokens, spec.kv_heads, spec.head_dim, 0, 0, 0};
  pages.head_stride_bytes = spec.head_dim * element_bytes(spec.storage);
  pages.slot_stride_bytes = spec.kv_heads * pages.head_stride_bytes;
  pages.page_stride_bytes = spec.block_tokens * pages.slot_stride_bytes;
  return pages;
}

std::unique_ptr<std::byte[]> allocate_side(std::int64_t bytes) {
  std::unique_ptr<std::byte[]> side(new std::byte[static_cast<std::size_t>(bytes)]);
  std::memset(side.get(), unwritten_byte, static_cast<std::size_t>(bytes));
  return side;
}

}  // namespace

KvCache::KvCache(std::span<const KvLayerSpec> specs, std::span<const KvScales> scales, std::int64_t num_blocks)
    : num_blocks_(plan_pool(specs, {num_blocks, {}}).num_blocks), allocated_bytes_(0) {
  if (scales.size() != specs.size()) throw Refusal(fmt::format("kv cache: {} scale pairs for {} layers", scales.size(), specs.size()));
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const KvPages pages = dense_pages(specs[i], num_blocks);
    KvLayer layer{specs[i], pages, pages, scales[i]};
    const std::int64_t side_bytes = num_blocks * pages.page_stride_bytes;
    try {
      // mutate: skip(statement_moved) each side is an allocation of its own
      layer.k.data = sides_.emplace_back(allocate_side(side_bytes)).get();
      layer.v.data = sides_.emplace_back(allocate_side(side_bytes)).get();
    } catch (const std::bad_alloc&) {
      // mutate: skip(statement_deleted) the gates ask for no memory that is not there
      throw Refusal(fmt::format("kv cache: {} bytes, {} blocks of {} bytes, are not to be had: lower --num-blocks or --kv-cache-memory",
                                plan_pool(specs, {num_blocks, {}}).bytes, num_blocks, block_bytes(specs)));
    }
    layers_.push_back(layer);
    allocated_bytes_ += 2 * side_bytes;
  }
}

KvLayer& KvCache::layer(std::size_t index) { return layers_.at(index); }
std::size_t KvCache::layers() const { return layers_.size(); }
std::int64_t KvCache::num_blocks() const { return num_blocks_; }
std::int64_t KvCache::allocated_bytes() const { return allocated_bytes_; }

BlockPool::BlockPool(std::int64_t num_blocks) : free_(num_blocks) {
  if (num_blocks < 0 || num_blocks > std::numeric_limits<std::int32_t>::max()) {
    throw Refusal(fmt::format("--num-blocks {}: block ids are 32 bits wide", num_blocks));
  }
  taken_.resize(static_cast<std::size_t>(num_blocks));
}

std::int32_t BlockPool::take() {
  for (std::size_t block = 0; block < taken_.size(); ++block) {
    if (taken_[block]) continue;
    taken_[block] = true;
    --free_;
    return static_cast<std::int32_t>(block);
  }
  throw Refusal(fmt::format("kv cache: all {} blocks are taken: raise --num-blocks or --kv-cache-memory", taken_.size()));
}

void BlockPool::give(std::int32_t block) {
  const auto index = static_cast<std::size_t>(block);  // of a negative one: past every pool
  // mutate: skip(relational `>`) a bit past the end is read, undefined; block_is_taken_once gives such a block back
  if (index >= taken_.size() || !taken_[index]) {
    throw Refusal(fmt::format("kv cache: block {} of {} is given back, but was not taken", block, taken_.size()));
  }
  taken_[index] = false;
  ++free_;
}

std::int64_t BlockPool::free_blocks() const { return free_; }

}  // namespace redproof::engine
