#include "oracle/slow/slow_quotient.h"

#include <cmath>
#include <limits>

#include "tests/catch.h"

using redproof::oracle::slow::slow_quotient;

TEST_CASE("quotients that float32 holds are found exactly", "[slow]") {
  CHECK(slow_quotient(3.0F, 2.0F) == 1.5F);
  CHECK(slow_quotient(-7.0F, 0.5F) == -14.0F);
  CHECK(slow_quotient(0x1p-149F, 0x1p-149F) == 1.0F);
  CHECK(std::signbit(slow_quotient(-0.0F, 3.0F)));
}

TEST_CASE("quotients between two float32 values go to the nearer one, ties to even", "[slow]") {
  CHECK(slow_quotient(1.0F, 3.0F) == 0x1.555556p-2F);
  CHECK(slow_quotient(0x1p-149F, 2.0F) == 0.0F);         // half of the smallest value: a tie, down
  CHECK(slow_quotient(0x1.8p-148F, 2.0F) == 0x1p-148F);  // 1.5 of it: a tie, up
  CHECK(slow_quotient(std::numeric_limits<float>::max(), 0.5F) == std::numeric_limits<float>::infinity());
}
