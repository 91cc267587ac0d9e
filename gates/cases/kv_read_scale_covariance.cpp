#include "gates/cases/gate.h"

using namespace redproof::properties;

TEST_CASE("a power of two in weights and scales changes no bit", "[kv_read_scale_covariance]") {
  CHECK_LAW(model_is_scale_covariant());
  for (auto const& subject : cpu_subjects()) {
    CHECK_LAW(two_scales_read_alike(subject));
  }
}
