#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("the warning follows the tensors", "[kv_scale_warning]") { CHECK_LAW(warning_follows_coverage()); }
