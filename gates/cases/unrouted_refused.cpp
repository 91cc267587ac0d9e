#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("what is not routed is refused by name", "[unrouted_refused]") { CHECK_LAW(unrouted_dtype_is_refused()); }
