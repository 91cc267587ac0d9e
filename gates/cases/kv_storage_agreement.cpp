#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("pages that disagree with their dtype are refused", "[kv_storage_agreement]") {
  for (auto const& subject : cpu_subjects()) {
    CHECK_LAW(disagreeing_storage_is_refused(subject));
  }
}
