#include "oracle/slow/fixed.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/catch.h"
#include "tests/oracle/disagreements.h"

using namespace redproof::oracle;
using redproof::oracle::slow::Fixed;

TEST_CASE("fixed-point numbers hold float32 values exactly", "[slow]") {
  for (double const value : {0.0, 1.0, 0x1p-149, 0x1p-192, 0x1.FFFFFEp127, 0.1, 464.0}) CHECK(Fixed(value).to_double() == value);
}

TEST_CASE("fixed-point sums carry and comparisons order", "[slow]") {
  CHECK(Fixed(0x1.FFFFFFFFp31) + Fixed(0x1p-1) == Fixed(0x1p32));
  CHECK(Fixed(1.0) + Fixed(0x1p-192) > Fixed(1.0));
  CHECK(Fixed(1.0) < Fixed(1.0) + Fixed(0x1p-192));
  CHECK(Fixed(0x1p100) + Fixed(0x1p-100) > Fixed(0x1p100));
  Bits bits{12};
  for (int i = 0; i < 500; ++i) {
    auto const left = static_cast<double>(bits.next() >> 12);
    auto const right = static_cast<double>(bits.next() >> 12);
    CHECK((Fixed(left) + Fixed(right)).to_double() == left + right);
    CHECK((Fixed(left) < Fixed(right)) == (left < right));
  }
}

TEST_CASE("numbers outside the fixed-point range are refused", "[slow]") {
  CHECK_THROWS_AS(Fixed(-1.0), std::domain_error);
  CHECK_THROWS_AS(Fixed(0x1p-193), std::domain_error);
  CHECK_THROWS_AS(Fixed(0x1p321), std::domain_error);
  CHECK_THROWS_AS(Fixed(0x1p319) + Fixed(0x1p319), std::domain_error);
  CHECK(Fixed(0x1p319) + Fixed(0x1p318) > Fixed(0x1p319));
  CHECK_THROWS_AS(Fixed(std::nan("")), std::domain_error);
  CHECK_THROWS_AS(Fixed(std::numeric_limits<double>::infinity()), std::domain_error);
}
