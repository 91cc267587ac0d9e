#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

// e4m3fn from its definition, for the tests of engine/bits and engine/kv: sign, 4 exponent bits with bias 7, 3 mantissa bits, no infinity.
namespace redproof::engine::truth {

inline double value_of(std::uint8_t code) {
  const int exponent = (code >> 3) & 15;
  const int mantissa = code & 7;
  if ((code & 0x7F) == 0x7F) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
  return code & 0x80 ? -magnitude : magnitude;
}

// The midpoint above code 0..0x7E; the one above 448 lies halfway to the 480 that the format would hold next.
inline double midpoint_above(int code) {
  const double next = code == 0x7E ? 480.0 : value_of(static_cast<std::uint8_t>(code + 1));
  return (value_of(static_cast<std::uint8_t>(code)) + next) / 2;
}

// Nearest code by search; a tie goes to the even code; everything above 448 is 448.
inline std::uint8_t nearest(float x) {
  if (std::isnan(x)) return 0x7F;
  const double magnitude = std::fabs(static_cast<double>(x));
  int code = 0;
  while (code < 0x7E && (magnitude > midpoint_above(code) || (magnitude == midpoint_above(code) && code % 2 == 1))) ++code;
  return static_cast<std::uint8_t>(code | (std::signbit(x) ? 0x80 : 0));
}

}  // namespace redproof::engine::truth
