#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("scales come from the checkpoint", "[kv_scale_loading]") {
  CHECK_LAW(scale_is_loaded());
  CHECK_LAW(bad_scale_is_refused());
  CHECK_LAW(scale_moves_bytes());
}
