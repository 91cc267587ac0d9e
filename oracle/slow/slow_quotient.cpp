#include "oracle/slow/slow_quotient.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace redproof::oracle::slow {
namespace {

constexpr std::uint32_t infinity_bits = 0x7F800000;

// float32 values in order; the one after the largest counts as 2^128 here, whence the tie to infinity.
double value_at(std::uint32_t bits) {
  return bits == infinity_bits ? std::ldexp(1.0, 128) : static_cast<double>(std::bit_cast<float>(bits));
}

float nearest_of_positive(float x, float scale) {
  double const target = x;
  double const factor = scale;
  std::uint32_t low = 0;  // value_at(low) * scale <= x: 24 bits times 24 bits, exact in a double
  std::uint32_t high = infinity_bits;
  if (value_at(high) * factor <= target) return std::numeric_limits<float>::infinity();
  while (high - low > 1) {
    std::uint32_t const middle = low + (high - low) / 2;
    (value_at(middle) * factor <= target ? low : high) = middle;
  }
  double const midpoint = (value_at(low) + value_at(high)) / 2;  // 25 bits
  bool const tie_to_high = midpoint * factor == target && low % 2 == 1;
  return std::bit_cast<float>(midpoint * factor < target || tie_to_high ? high : low);
}

}  // namespace

float slow_quotient(float x, float scale) {
  float const magnitude = nearest_of_positive(std::abs(x), scale);
  return std::signbit(x) ? -magnitude : magnitude;
}

}  // namespace redproof::oracle::slow
