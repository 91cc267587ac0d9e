#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("the command line sizes the cache", "[kv_cache_flags]") {
  CHECK_LAW(flags_size_the_cache());
  CHECK_LAW(arguments_reach_options());
}
