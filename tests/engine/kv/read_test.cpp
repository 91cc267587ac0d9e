#include "engine/kv/read.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "engine/types/error.h"
#include "tests/catch.h"
#include "tests/engine/bits/e4m3_truth.h"
#include "tests/engine/isas.h"
#include "tests/engine/kv/layer_fixture.h"

using namespace redproof::engine;
using namespace redproof::engine::fixture;

namespace {

float truth_value(const KvPages& pages, std::uint32_t bits) {
  return pages.storage == KvStorage::bfloat16 ? std::bit_cast<float>(bits << 16)
                                              : static_cast<float>(truth::value_of(static_cast<std::uint8_t>(bits)));
}

std::int64_t wrong_values(const KvPages& pages, const std::vector<std::int32_t>& table, std::int64_t first, std::int64_t tokens,
                          std::int32_t head, CpuIsa isa) {
  std::vector<float> out(static_cast<std::size_t>(tokens * pages.head_dim + 1), 7.5F);
  read_tile(pages, table, first, tokens, head, isa, out.data());
  std::int64_t wrong = out.back() != 7.5F;
  for (std::int64_t token = 0; token < tokens; ++token) {
    const std::int64_t page = table[static_cast<std::size_t>((first + token) / pages.block_tokens)];
    for (std::int64_t lane = 0; lane < pages.head_dim; ++lane) {
      const float value = truth_value(pages, element_bits(pages, page, (first + token) % pages.block_tokens, head, lane));
      const float read = out[static_cast<std::size_t>(token * pages.head_dim + lane)];
      wrong += std::isnan(value) ? !std::isnan(read) : std::bit_cast<std::uint32_t>(value) != std::bit_cast<std::uint32_t>(read);
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("a tile holds the unscaled values of its positions, through a permuted table, in every layout and storage", "[read]") {
  for (const Layout layout : {Layout::dense, Layout::padded, Layout::heads_outer}) {
    for (const KvStorage storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
      LayerMemory memory({.storage = storage, .layout = layout});
      Numbers numbers(3);
      for (std::byte& byte : memory.bytes) byte = static_cast<std::byte>(numbers.bits());
      const std::vector<std::int32_t> table = numbers.permutation(7);
      for (const CpuIsa isa : isas()) {
        std::int64_t wrong = 0;
        for (std::int64_t first = 0; first < 12; ++first) {
          for (const std::int64_t tokens : {0, 1, 4, 5, 6, 10, 23}) {
            const auto head = static_cast<std::int32_t>(first % 3);
            wrong += wrong_values(memory.layer.k, table, first, tokens, head, isa);
            wrong += wrong_values(memory.layer.v, table, first, tokens, head, isa);
          }
        }
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("positions outside of the table, blocks outside of the pages and heads outside of the layer are refused", "[read]") {
  const LayerMemory memory({});
  const std::vector<std::int32_t> table{2, 7, -1, 0};
  std::vector<float> out(20 * 20);
  const auto read = [&](std::int64_t first, std::int64_t tokens, std::int32_t head) {
    read_tile(memory.layer.k, table, first, tokens, head, CpuIsa::scalar, out.data());
  };
  CHECK_NOTHROW(read(0, 5, 2));
  CHECK_THROWS_WITH(read(4, 2, 0), "block table: block 7 of 7");
  CHECK_THROWS_WITH(read(10, 1, 0), "block table: block -1 of 7");
  CHECK_NOTHROW(read(19, 1, 0));
  CHECK_THROWS_AS(read(19, 2, 0), Refusal);
  CHECK_THROWS_WITH(read(20, 1, 0), ContainsSubstring("lie outside of 4 blocks of 5 tokens"));
  CHECK_THROWS_AS(read(-1, 1, 0), Refusal);
  CHECK_THROWS_AS(read(0, -1, 0), Refusal);
  CHECK_THROWS_AS(read(0, std::int64_t{1} << 62, 0), Refusal);
  CHECK_THROWS_WITH(read(0, 1, 3), "kv cache: head 3 of 3");
  CHECK_THROWS_AS(read(0, 1, -1), Refusal);
}
