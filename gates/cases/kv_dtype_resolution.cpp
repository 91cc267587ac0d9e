#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("documents resolve as upstream resolves them", "[kv_dtype_resolution]") {
  CHECK_LAW(kv_dtype_is_resolved());
  CHECK_LAW(declaration_decides_storage());
}
