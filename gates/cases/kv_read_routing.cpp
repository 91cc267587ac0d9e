#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("every element is read from its own place", "[kv_read_routing]") {
  for (auto const& subject : cpu_subjects()) {
    CHECK_LAW(read_is_own_element(subject));
    CHECK_LAW(far_position_is_read(subject));
    CHECK_LAW(nan_code_reads_as_nan(subject));
    CHECK_LAW(bad_block_is_refused(subject));
    CHECK_LAW(bad_call_is_refused(subject));
  }
  for (auto const& subject : threaded_subjects()) {
    CHECK_LAW(bad_block_is_refused(subject));
  }
  CHECK_LAW(bad_tile_is_refused());
  CHECK_LAW(read_writes_its_tile());
}
