#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("an fp8 run is where a bf16 run says", "[kv_bf16_routing]") {
  CHECK_LAW(pages_match_bf16_run());
  CHECK_LAW(attention_matches_bf16_run());
}
