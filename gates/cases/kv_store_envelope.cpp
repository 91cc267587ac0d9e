#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("what is read is near what was stored", "[kv_store_envelope]") {
  for (auto const& subject : cpu_subjects()) {
    CHECK_LAW(read_of_store_is_within_envelope(subject));
  }
}
