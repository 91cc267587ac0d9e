#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("both sides are rounded to one dtype", "[kv_source_dtype]") {
  for (auto const& subject : cpu_subjects()) {
    CHECK_LAW(source_dtype_changes_no_byte(subject));
  }
}
