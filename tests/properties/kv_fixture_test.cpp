#include "properties/generators/kv_fixture.h"

#include <algorithm>
#include <set>

#include "engine/kv/read.h"
#include "tests/catch.h"

using namespace redproof;
using namespace redproof::properties;

TEST_CASE("a fixture's pages agree with their spec, and its sides differ in every stride") {
  for (auto const storage : {engine::KvStorage::fp8_e4m3, engine::KvStorage::bfloat16}) {
    KvShape shape;
    shape.storage = storage;
    KvFixture fixture(shape, 0xA5);
    CHECK_NOTHROW(engine::require_agreement(fixture.layer));
    CHECK(fixture.layer.k.head_stride_bytes != fixture.layer.v.head_stride_bytes);
    CHECK(fixture.layer.k.slot_stride_bytes != fixture.layer.v.slot_stride_bytes);
    CHECK(fixture.layer.k.page_stride_bytes != fixture.layer.v.page_stride_bytes);
  }
}

TEST_CASE("heads may hold slots: a head's stride then spans a block") {
  KvShape shape;
  shape.heads_outermost = true;
  KvFixture fixture(shape, 0xA5);
  CHECK_NOTHROW(engine::require_agreement(fixture.layer));
  for (auto const* const pages : {&fixture.layer.k, &fixture.layer.v}) {
    CHECK(pages->head_stride_bytes > shape.block_tokens * pages->slot_stride_bytes);
  }
}

TEST_CASE("a slot's coordinate is its page and its place in it") {
  auto const at = coordinate_of(17, 5, 2, 9);
  CHECK(at.page == 3);
  CHECK(at.slot == 2);
  CHECK(at.head == 2);
  CHECK(at.lane == 9);
}

TEST_CASE("bits that are set at a coordinate are read there, and nowhere else") {
  KvFixture fixture({}, 0x00);
  fixture.set_bits(false, {2, 3, 1, 7}, 0x42);
  CHECK(fixture.bits_at(false, {2, 3, 1, 7}) == 0x42);
  CHECK(fixture.bits_at(true, {2, 3, 1, 7}) == 0);
  std::size_t set = 0;
  for (auto const byte : fixture.k_memory) set += byte == std::byte{0x42} ? 1 : 0;
  CHECK(set == 1);
}

TEST_CASE("a permutation holds every number once and moves with its seed") {
  auto const one = permutation(100, 1);
  CHECK(std::set<std::int64_t>(one.begin(), one.end()).size() == 100);
  CHECK(*std::max_element(one.begin(), one.end()) == 99);
  CHECK(one == permutation(100, 1));
  CHECK(one != permutation(100, 2));
}

TEST_CASE("hex prints as many digits as asked for") {
  CHECK(hex(0x3F, 2) == "0x3F");
  CHECK(hex(0x3F80, 4) == "0x3F80");
  CHECK(hex(0, 4) == "0x0000");
}
