#include "oracle/address/kv_address.h"

#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "tests/catch.h"

using namespace redproof::oracle;

namespace {

constexpr PageShape shape{3, 5, 2, 7, 2};

}  // namespace

TEST_CASE("a gapless shape is a C array: coordinates in order stand at successive elements", "[kv_address]") {
  auto const strides = contiguous_strides(shape);
  Wide next = 0;
  bool in_order = true;
  for_each_element(shape, strides, [&](const PageCoordinate& at, Wide offset) {
    in_order = in_order && offset == next && offset_bytes(strides, at) == next && in_shape(shape, at);
    next += shape.element_bytes;
  });
  CHECK(in_order);
  CHECK(next == 3 * 5 * 2 * 7 * 2);
  CHECK(extent_bytes(shape, strides) == next);
}

TEST_CASE("the offset of an element is the distance of addresses in an array that the compiler laid out", "[kv_address]") {
  static std::uint16_t const pages[3][5][2][7] = {};
  auto const* first = reinterpret_cast<const char*>(&pages);
  auto const strides = contiguous_strides(shape);
  bool equal = true;
  for_each_element(shape, strides, [&](const PageCoordinate& at, Wide offset) {
    auto const* element = reinterpret_cast<const char*>(&pages[at.page][at.slot][at.head][at.lane]);
    equal = equal && offset == element - first;
  });
  CHECK(equal);
}

TEST_CASE("strides with gaps and in another order give each element a place of its own", "[kv_address]") {
  PageStrides const heads_first{1000, 14, 100, 2};  // [page][head][slot][lane], pages padded
  std::set<std::int64_t> offsets;
  bool equal = true;
  for_each_element(shape, heads_first, [&](const PageCoordinate& at, Wide offset) {
    offsets.insert(static_cast<std::int64_t>(offset));
    equal = equal && offset == offset_bytes(heads_first, at);
  });
  CHECK(equal);
  CHECK(offsets.size() == 3 * 5 * 2 * 7);
  CHECK(extent_bytes(shape, heads_first) == 2 * 1000 + 4 * 14 + 100 + 6 * 2 + 2);
}

TEST_CASE("offsets past 32 and 64 bits do not wrap", "[kv_address]") {
  PageShape const large{100'000, 64, 8, 128, 1};
  auto const strides = contiguous_strides(large);
  CHECK(offset_bytes(strides, {99'999, 63, 7, 127}) == Wide{6'553'599'999});
  auto const huge = std::numeric_limits<std::int64_t>::max();
  Wide const square = offset_bytes({huge, 0, 0, 1}, {huge, 0, 0, 0});
  CHECK(square / huge == huge);
  CHECK(square > Wide{huge});
  CHECK_THROWS_AS(contiguous_strides({1, huge, 2, 2, 1}), std::overflow_error);
}

TEST_CASE("coordinates outside the shape are told apart, and an empty shape has no extent", "[kv_address]") {
  CHECK(in_shape(shape, {2, 4, 1, 6}));
  CHECK_FALSE(in_shape(shape, {3, 0, 0, 0}));
  CHECK_FALSE(in_shape(shape, {0, 5, 0, 0}));
  CHECK_FALSE(in_shape(shape, {0, 0, 2, 0}));
  CHECK_FALSE(in_shape(shape, {0, 0, 0, 7}));
  CHECK_FALSE(in_shape(shape, {0, -1, 0, 0}));
  for (auto const extent : {&PageShape::pages, &PageShape::block_tokens, &PageShape::kv_heads, &PageShape::head_dim}) {
    PageShape empty = shape;
    empty.*extent = 0;
    CHECK(extent_bytes(empty, contiguous_strides(shape)) == 0);
  }
}

TEST_CASE("walking the table and counting the whole sequence agree on every slot", "[kv_address]") {
  std::int32_t const table[] = {7, 2, 9, 0};
  for (std::int32_t const block_tokens : {1, 3, 16}) {
    std::int64_t const tokens = 4 * block_tokens;
    auto const slots = slots_of_sequence(table, tokens, block_tokens);
    REQUIRE(std::ssize(slots) == tokens);
    std::set<std::int64_t> distinct;
    for (std::int64_t position = 0; position < tokens; ++position) {
      auto const walked = slot_truth(table, position, block_tokens);
      auto const& counted = slots[static_cast<std::size_t>(position)];
      REQUIRE(walked.has_value());
      CHECK(walked->slot == counted.slot);
      CHECK(walked->page == counted.page);
      CHECK(walked->slot_in_page == counted.slot_in_page);
      distinct.insert(static_cast<std::int64_t>(counted.slot));
    }
    CHECK(std::ssize(distinct) == tokens);
  }
}

TEST_CASE("slots around a block's edge are those written by hand", "[kv_address]") {
  std::int32_t const table[] = {5, 1};
  CHECK(slot_truth(table, 0, 16)->slot == 80);
  CHECK(slot_truth(table, 15, 16)->slot == 95);
  CHECK(slot_truth(table, 16, 16)->slot == 16);
  CHECK(slot_truth(table, 31, 16)->slot == 31);
  CHECK(slot_truth(table, 16, 16)->page == 1);
  CHECK(slot_truth(table, 17, 16)->slot_in_page == 1);
  CHECK_FALSE(slot_truth(table, 32, 16).has_value());
  CHECK_FALSE(slot_truth(table, -1, 16).has_value());
  CHECK_THROWS_AS(slots_of_sequence(table, 33, 16), std::out_of_range);
}

TEST_CASE("a slot of a late block of a large pool does not wrap at 32 bits", "[kv_address]") {
  std::int32_t const table[] = {2'000'000'000};
  CHECK(slot_truth(table, 3, 16)->slot == Wide{32'000'000'003});
}
