#include "engine/kv/slots.h"

#include <vector>

#include "engine/types/error.h"
#include "tests/catch.h"

using namespace redproof::engine;

TEST_CASE("a position's slot lies in the block that the table gives for it", "[slots]") {
  const std::vector<std::int32_t> table{4, 0, 9};
  const std::vector<std::int64_t> truth{20, 21, 22, 23, 24, 0, 1, 2, 3, 4, 45, 46, 47, 48, 49};
  for (std::size_t position = 0; position < truth.size(); ++position) {
    CHECK(slot_of(table, static_cast<std::int64_t>(position), 5) == truth[position]);
  }
}

TEST_CASE("a slot does not wrap at 32 bits", "[slots]") {
  const std::vector<std::int32_t> table{2147483646};
  CHECK(slot_of(table, 15, 16) == 34359738351);
}

TEST_CASE("a position outside of the block table is refused", "[slots]") {
  const std::vector<std::int32_t> table{4, 0};
  CHECK_THROWS_AS(slot_of(table, 10, 5), Refusal);
  CHECK_THROWS_AS(slot_of(table, -1, 5), Refusal);
  CHECK_THROWS_WITH(slot_of(table, 10, 5), "block table: position 10 lies outside of 2 blocks of 5 tokens");
  CHECK_THROWS_AS(slot_of({}, 0, 5), Refusal);
}

TEST_CASE("a negative block is refused, whose slots would pass for padding", "[slots]") {
  const std::vector<std::int32_t> table{4, -1};
  CHECK(slot_of(table, 4, 5) == 24);
  CHECK_THROWS_WITH(slot_of(table, 5, 5), "block table: block -1 at position 5");
}
