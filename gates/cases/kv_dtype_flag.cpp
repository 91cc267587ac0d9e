#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("the flag decides, and is not announced", "[kv_dtype_flag]") { CHECK_LAW(flag_decides_dtype()); }
