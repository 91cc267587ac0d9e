#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("generation is what the format makes of it", "[generate_fp8]") {
  CHECK_LAW(generation_is_deterministic());
  CHECK_LAW(batch_changes_no_bit());
  CHECK_LAW(logits_match_rewritten_bf16_run());
}
