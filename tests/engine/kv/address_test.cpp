#include "engine/kv/address.h"

#include "tests/catch.h"

using namespace redproof::engine;

namespace {

// Odd strides, in no simple relation to each other.
KvPages pages_with_strides(KvStorage storage, std::int64_t page_stride_bytes) {
  return {nullptr, storage, std::int64_t{1} << 40, 5, 3, 20, page_stride_bytes, 407, 61};
}

}  // namespace

TEST_CASE("an address is the sum of its strides, a lane counts one byte in fp8 and two in bfloat16", "[address]") {
  CHECK(kv_offset_bytes(pages_with_strides(KvStorage::fp8_e4m3, 2100), {6, 4, 2, 19}) == 6 * 2100 + 4 * 407 + 2 * 61 + 19);
  CHECK(kv_offset_bytes(pages_with_strides(KvStorage::bfloat16, 2100), {6, 4, 2, 19}) == 6 * 2100 + 4 * 407 + 2 * 61 + 38);
  CHECK(element_bytes(KvStorage::fp8_e4m3) == 1);
  CHECK(element_bytes(KvStorage::bfloat16) == 2);
}

TEST_CASE("an address does not wrap at 32 bits", "[address]") {
  const KvPages pages = pages_with_strides(KvStorage::fp8_e4m3, 2049);
  CHECK(kv_offset_bytes(pages, {1 << 20, 0, 0, 0}) == 2148532224);
  CHECK(kv_offset_bytes(pages, {(1 << 21) + 1, 4, 2, 19}) == 4297066497 + 4 * 407 + 2 * 61 + 19);
  CHECK(kv_offset_bytes(pages, {std::int64_t{1} << 33, 0, 0, 0}) == 17600775979008);
}
