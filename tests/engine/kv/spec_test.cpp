#include "engine/kv/spec.h"

#include <limits>

#include "engine/types/error.h"
#include "tests/catch.h"

using namespace redproof::engine;

namespace {

ModelConfig config_with_windows(std::vector<std::int64_t> window_tokens) {
  ModelConfig config;
  config.layers = static_cast<std::int32_t>(window_tokens.size());
  config.kv_heads = 3;
  config.head_dim = 20;
  config.window_tokens = std::move(window_tokens);
  return config;
}

std::vector<KvLayerSpec> specs_of(KvStorage storage) { return layer_specs(config_with_windows({0, 9, 0}), storage, 5); }

}  // namespace

TEST_CASE("every layer's spec takes the resolved storage, and its own window", "[spec]") {
  for (const KvStorage storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
    const std::vector<KvLayerSpec> specs = specs_of(storage);
    REQUIRE(specs.size() == 3);
    for (const KvLayerSpec& spec : specs) {
      CHECK(spec.storage == storage);
      CHECK(spec.kv_heads == 3);
      CHECK(spec.head_dim == 20);
      CHECK(spec.block_tokens == 5);
    }
    CHECK(specs[0].window_tokens == 0);
    CHECK(specs[1].window_tokens == 9);
    CHECK(specs[2].window_tokens == 0);
  }
}

TEST_CASE("a block holds K and V of its tokens: one byte an element in fp8, two in bfloat16", "[spec]") {
  CHECK(block_bytes(specs_of(KvStorage::fp8_e4m3)[1]) == 5 * 3 * 2 * 20);
  CHECK(block_bytes(specs_of(KvStorage::bfloat16)[1]) == 5 * 3 * 2 * 20 * 2);
  CHECK(block_bytes(specs_of(KvStorage::fp8_e4m3)) == 3 * 600);
}

TEST_CASE("the same memory gives exactly twice the blocks in fp8", "[spec]") {
  for (const std::int64_t bfloat16_blocks : {1, 2, 37, 1000}) {
    for (const std::int64_t rest_bytes : {0, 1799}) {
      const std::int64_t memory_bytes = bfloat16_blocks * 3600 + rest_bytes;
      const KvPoolPlan wide = plan_pool(specs_of(KvStorage::bfloat16), {{}, memory_bytes});
      const KvPoolPlan narrow = plan_pool(specs_of(KvStorage::fp8_e4m3), {{}, memory_bytes});
      CHECK(wide.num_blocks == bfloat16_blocks);
      CHECK(narrow.num_blocks == 2 * bfloat16_blocks);
      CHECK(narrow.bytes == wide.bytes);
    }
  }
}

TEST_CASE("a pool has the blocks asked for, or the documented default", "[spec]") {
  CHECK(plan_pool(specs_of(KvStorage::fp8_e4m3), {17, {}}).num_blocks == 17);
  CHECK(plan_pool(specs_of(KvStorage::fp8_e4m3), {17, {}}).bytes == 17 * 1800);
  CHECK(plan_pool(specs_of(KvStorage::bfloat16), {}).num_blocks == default_num_blocks);
}

TEST_CASE("a pool without a block, or with two sizes, is refused by the flag", "[spec]") {
  const std::vector<KvLayerSpec> specs = specs_of(KvStorage::fp8_e4m3);
  CHECK_THROWS_WITH(plan_pool(specs, {0, {}}), ContainsSubstring("--num-blocks 0"));
  CHECK_THROWS_WITH(plan_pool(specs, {-3, {}}), ContainsSubstring("--num-blocks -3"));
  CHECK_THROWS_WITH(plan_pool(specs, {{}, 1799}), ContainsSubstring("--kv-cache-memory 1799: one block takes 1800 bytes"));
  CHECK_THROWS_WITH(plan_pool(specs, {{}, -1}), ContainsSubstring("--kv-cache-memory -1"));
  CHECK_THROWS_WITH(plan_pool(specs, {1, 1800}), ContainsSubstring("--num-blocks and --kv-cache-memory"));
  CHECK_THROWS_AS(plan_pool({}, {1, {}}), Refusal);
}

TEST_CASE("sizes that no 64-bit or block id number holds are refused", "[spec]") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int32_t wide = std::numeric_limits<std::int32_t>::max();
  const std::vector<KvLayerSpec> specs = specs_of(KvStorage::fp8_e4m3);
  CHECK(plan_pool(specs, {wide, {}}).bytes == std::int64_t{wide} * 1800);
  CHECK_THROWS_WITH(plan_pool(specs, {std::int64_t{wide} + 1, {}}), ContainsSubstring("--num-blocks: "));
  CHECK_THROWS_WITH(plan_pool(specs, {{}, most}), ContainsSubstring("--kv-cache-memory: "));
  const KvLayerSpec large{KvStorage::bfloat16, 1 << 20, 1 << 20, 1 << 20, 0};  // 2^62 bytes
  CHECK(block_bytes(large) == std::int64_t{1} << 62);
  const std::vector<KvLayerSpec> two(2, large);
  CHECK_THROWS_WITH(block_bytes(two), ContainsSubstring("2 layers exceeds 64 bits"));
  const std::vector<KvLayerSpec> one(1, large);
  CHECK_THROWS_WITH(plan_pool(one, {2, {}}), ContainsSubstring("--num-blocks: 2 blocks"));
  CHECK_THROWS_WITH(block_bytes(KvLayerSpec{KvStorage::bfloat16, wide, wide, 16, 0}), ContainsSubstring("exceeds 64 bits"));
}

TEST_CASE("a config whose numbers are not positive, or whose windows are not one a layer, is refused by field", "[spec]") {
  const auto refused = [](auto change) {
    ModelConfig config = config_with_windows({0, 9});
    change(config);
    return layer_specs(config, KvStorage::fp8_e4m3, 5);
  };
  CHECK_THROWS_WITH(refused([](ModelConfig& config) { config.layers = 0; }), ContainsSubstring("num_hidden_layers is 0"));
  CHECK_THROWS_WITH(refused([](ModelConfig& config) { config.kv_heads = -1; }), ContainsSubstring("num_key_value_heads is -1"));
  CHECK_THROWS_WITH(refused([](ModelConfig& config) { config.head_dim = 0; }), ContainsSubstring("head_dim is 0"));
  CHECK_THROWS_WITH(refused([](ModelConfig& config) { config.window_tokens.pop_back(); }),
                    ContainsSubstring("1 sliding windows for 2 layers"));
  CHECK_THROWS_WITH(layer_specs(config_with_windows({0}), KvStorage::fp8_e4m3, 0), ContainsSubstring("block_tokens is 0"));
  CHECK_THROWS_WITH(block_bytes(KvLayerSpec{KvStorage::fp8_e4m3, 3, -20, 5, 0}), ContainsSubstring("head_dim is -20"));
}
