#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("the pool fills its memory", "[kv_pool_size]") { CHECK_LAW(pool_fills_memory()); }
