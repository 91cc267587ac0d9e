#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("the inline document outranks the legacy file", "[kv_dtype_precedence]") {
  CHECK_LAW(inline_outranks_legacy());
  CHECK_LAW(refusal_precedes_weights());
}
