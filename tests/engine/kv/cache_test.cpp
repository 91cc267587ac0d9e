#include "engine/kv/cache.h"

#include <cmath>
#include <set>

#include "engine/kv/read.h"
#include "engine/kv/store.h"
#include "engine/types/error.h"
#include "tests/catch.h"

using namespace redproof::engine;

namespace {

std::vector<KvLayerSpec> two_specs(KvStorage storage) { return {{storage, 3, 20, 5, 0}, {storage, 3, 20, 5, 9}}; }

const std::vector<KvScales> two_scales{{0.06F, 0.35F}, {0.5F, 0.125F}};

}  // namespace

TEST_CASE("a cache has one dense page a block, side and layer, and owns the scales of each layer", "[cache]") {
  for (const auto& [storage, bytes] : {std::pair{KvStorage::fp8_e4m3, 1}, std::pair{KvStorage::bfloat16, 2}}) {
    KvCache cache(two_specs(storage), two_scales, 7);
    CHECK(cache.layers() == 2);
    CHECK(cache.num_blocks() == 7);
    CHECK(cache.allocated_bytes() == 2 * 2 * 7 * 5 * 3 * 20 * bytes);
    for (std::size_t i = 0; i < 2; ++i) {
      KvLayer& layer = cache.layer(i);
      CHECK_NOTHROW(require_agreement(layer));
      CHECK(layer.k.page_stride_bytes == 5 * 3 * 20 * bytes);
      CHECK(layer.v.page_stride_bytes == 5 * 3 * 20 * bytes);
      CHECK(layer.v.slot_stride_bytes == 3 * 20 * bytes);
      CHECK(layer.k.head_stride_bytes == 20 * bytes);
      CHECK(layer.k.pages == 7);
      CHECK(layer.scales.k == two_scales[i].k);
      CHECK(layer.scales.v == two_scales[i].v);
    }
    CHECK(cache.layer(1).spec.window_tokens == 9);
    CHECK_THROWS(cache.layer(2));
    const std::set<std::byte*> sides{cache.layer(0).k.data, cache.layer(0).v.data, cache.layer(1).k.data, cache.layer(1).v.data};
    CHECK(sides.size() == 4);
  }
}

TEST_CASE("a slot that nobody wrote reads as NaN, in both storages", "[cache]") {
  for (const KvStorage storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
    KvCache cache(two_specs(storage), two_scales, 2);
    const std::vector<std::int32_t> table{1, 0};
    std::vector<float> out(10 * 20);
    read_tile(cache.layer(1).v, table, 0, 10, 2, CpuIsa::scalar, out.data());
    std::int64_t numbers = 0;
    for (const float value : out) numbers += !std::isnan(value);
    CHECK(numbers == 0);
  }
}

TEST_CASE("a store into one layer leaves the others unwritten", "[cache]") {
  KvCache cache(two_specs(KvStorage::fp8_e4m3), two_scales, 2);
  const std::vector<float> ones(60, 1.0F);
  const std::vector<std::int64_t> slots{9};
  store_kv({ones.data(), DType::f32}, {ones.data(), DType::f32}, slots, cache.layer(1), {CpuIsa::scalar, 1});
  CHECK(cache.layer(1).k.data[599] == std::byte{0x40});  // 1 / 0.5
  CHECK(cache.layer(1).v.data[599] == std::byte{0x50});  // 1 / 0.125
  CHECK(cache.layer(0).k.data[599] == std::byte{0xFF});
  CHECK(cache.layer(0).v.data[599] == std::byte{0xFF});
}

TEST_CASE("a cache of no blocks, or with scales that are not one pair a layer, is refused", "[cache]") {
  CHECK_THROWS_AS(KvCache(two_specs(KvStorage::fp8_e4m3), two_scales, 0), Refusal);
  const std::vector<KvScales> one(1);
  CHECK_THROWS_WITH(KvCache(two_specs(KvStorage::fp8_e4m3), one, 1), ContainsSubstring("1 scale pairs for 2 layers"));
}

TEST_CASE("the block pool hands out the lowest free block, and takes back only what it gave", "[cache]") {
  BlockPool pool(3);
  CHECK(pool.free_blocks() == 3);
  CHECK(pool.take() == 0);
  CHECK(pool.take() == 1);
  CHECK(pool.take() == 2);
  CHECK(pool.free_blocks() == 0);
  CHECK_THROWS_WITH(pool.take(), ContainsSubstring("all 3 blocks are taken") && ContainsSubstring("--num-blocks"));
  pool.give(2);
  pool.give(0);
  CHECK(pool.free_blocks() == 2);
  CHECK(pool.take() == 0);
  CHECK(pool.take() == 2);
  pool.give(1);
  CHECK_THROWS_AS(pool.give(1), Refusal);
  CHECK_THROWS_AS(pool.give(3), Refusal);
  CHECK_THROWS_AS(pool.give(-1), Refusal);
  CHECK(pool.free_blocks() == 1);
  CHECK_THROWS_AS(BlockPool(-1), Refusal);
  CHECK_THROWS_AS(BlockPool(std::int64_t{1} << 31), Refusal);
}
