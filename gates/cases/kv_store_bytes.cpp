#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("a stored byte is the nearest code", "[kv_store_bytes]") {
  for (auto const& subject : cpu_subjects()) {
    CHECK_LAW(stored_byte_is_nearest(subject));
    CHECK_LAW(other_bytes_are_unchanged(subject));
    CHECK_LAW(bad_slot_is_refused(subject));
  }
}
