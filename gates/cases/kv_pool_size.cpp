#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("the pool fills its memory, and all of it serves", "[kv_pool_size]") {
  CHECK_LAW(pool_fills_memory());
  CHECK_LAW(pool_serves_its_batch());
  CHECK_LAW(block_is_taken_once());
  CHECK_LAW(impossible_size_is_refused());
}
