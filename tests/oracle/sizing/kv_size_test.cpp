#include "oracle/sizing/kv_size.h"

#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/catch.h"

using namespace redproof::oracle;

TEST_CASE("an element takes the bytes of its format", "[kv_size]") {
  CHECK(element_bytes(e4m3fn) == 1);
  CHECK(element_bytes(bf16) == 2);
  CHECK(element_bytes(f32) == 4);
}

TEST_CASE("a page has as many elements as counting them one by one finds", "[kv_size]") {
  KvSizeLayer const layer{5, 3, 7, bf16};
  std::int64_t elements = 0;
  for (int token = 0; token < 5; ++token) {
    for (int head = 0; head < 3; ++head) {
      for (int lane = 0; lane < 7; ++lane) ++elements;
    }
  }
  CHECK(page_bytes(layer) == elements * 2);
  CHECK(block_bytes(layer) == elements * 2 * 2);
}

TEST_CASE("fp8 halves a block, so the same memory gives exactly twice the blocks", "[kv_size]") {
  std::vector<KvSizeLayer> const wide(30, {16, 3, 64, bf16});
  std::vector<KvSizeLayer> const narrow(30, {16, 3, 64, e4m3fn});
  CHECK(block_bytes(wide) == 30 * 2 * 16 * 3 * 64 * 2);
  CHECK(block_bytes(wide) == 2 * block_bytes(narrow));
  CHECK(pool_bytes(narrow, 2 * 77) == pool_bytes(wide, 77));
  CHECK(blocks_in(pool_bytes(wide, 77), block_bytes(narrow)) == 2 * blocks_in(pool_bytes(wide, 77), block_bytes(wide)));
}

TEST_CASE("a model's block is the sum over layers of different shapes", "[kv_size]") {
  KvSizeLayer const layers[] = {{16, 2, 64, bf16}, {16, 4, 32, e4m3fn}, {16, 1, 8, bf16}};
  CHECK(block_bytes(layers) == 8192 + 4096 + 512);
  CHECK(pool_bytes(layers, 3) == 3 * (8192 + 4096 + 512));
}

TEST_CASE("the number of blocks is the largest whose product still fits", "[kv_size]") {
  for (Wide const bytes : {Wide{1}, Wide{7}, Wide{4096}, Wide{1} << 70}) {
    for (Wide const blocks : {Wide{1}, Wide{2}, Wide{3}, Wide{1000}, Wide{535384}}) {
      CHECK(blocks_in(bytes * blocks, bytes) == blocks);
      CHECK(blocks_in(bytes * blocks - 1, bytes) == blocks - 1);
      CHECK(blocks_in(bytes * blocks + bytes - 1, bytes) == blocks);
    }
  }
  CHECK(blocks_in(0, 5) == 0);
  CHECK_THROWS_AS(blocks_in(5, 0), std::invalid_argument);
  CHECK_THROWS_AS(blocks_in(-1, 5), std::invalid_argument);
  CHECK_THROWS_AS(blocks_in(Wide{1} << 100, 1), std::overflow_error);
}

TEST_CASE("sizes past 64 bits do not wrap", "[kv_size]") {
  auto const huge = std::int64_t{1} << 40;
  CHECK(page_bytes({huge, huge, 4, e4m3fn}) == Wide{1} << 82);
}
