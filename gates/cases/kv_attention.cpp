#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("attention is that of real arithmetic over the cache", "[kv_attention]") {
  for (auto const& subject : cpu_subjects()) {
    CHECK_LAW(attention_is_near_truth(subject));
  }
  CHECK_LAW(attention_matches_own_pages());
}
