#include "oracle/nearest.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace redproof::oracle {
namespace {

enum class Remainder : std::uint8_t { none, below_half, half, above_half };

// |value| = (steps + remainder) * 2^step_exponent, where 2^step_exponent is the distance of the format's values around it.
struct InSteps {
  int binade;  // exponent of the step's binade: floor(log2 |value|), at least the smallest normal exponent
  int step_exponent;
  std::uint64_t steps;
  Remainder remainder;
};

// A finite double as significand * 2^exponent, both integers.
struct Dyadic {
  std::uint64_t significand;
  int exponent;
};

Dyadic dyadic_of(double magnitude) {
  auto const bits = std::bit_cast<std::uint64_t>(magnitude);
  auto const field = static_cast<int>(bits >> 52);
  std::uint64_t const fraction = bits & ((std::uint64_t{1} << 52) - 1);
  if (field == 0) return {fraction, -1074};
  return {fraction | (std::uint64_t{1} << 52), field - 1075};
}

Remainder remainder_of(std::uint64_t significand, int dropped_bits) {
  if (significand == 0) return Remainder::none;
  if (dropped_bits > 63) return Remainder::below_half;  // a significand has 53 bits
  std::uint64_t const half = std::uint64_t{1} << (dropped_bits - 1);
  std::uint64_t const rest = significand & (half + half - 1);
  if (rest == 0) return Remainder::none;
  if (rest == half) return Remainder::half;
  return rest < half ? Remainder::below_half : Remainder::above_half;
}

InSteps in_steps(const FloatFormat& format, double magnitude) {
  auto const [significand, exponent] = dyadic_of(magnitude);
  int const log2 = static_cast<int>(std::bit_width(significand)) - 1 + exponent;
  int const binade = std::max(significand == 0 ? min_normal_exponent(format) : log2, min_normal_exponent(format));
  int const step_exponent = binade - format.mantissa_bits;
  int const dropped_bits = step_exponent - exponent;
  if (dropped_bits <= 0) return {binade, step_exponent, significand << -dropped_bits, Remainder::none};
  std::uint64_t const steps = dropped_bits > 63 ? 0 : significand >> dropped_bits;
  return {binade, step_exponent, steps, remainder_of(significand, dropped_bits)};
}

// Magnitudes count through subnormals and binades without a gap, so the rounded number of steps gives the code, carry included; the code
// may lie past the largest finite one.
std::uint64_t rounded_magnitude(const FloatFormat& format, double magnitude) {
  auto const at = in_steps(format, magnitude);
  bool const up = at.remainder == Remainder::above_half || (at.remainder == Remainder::half && at.steps % 2 == 1);
  auto const binades = static_cast<std::uint64_t>(at.binade - min_normal_exponent(format));
  return (binades << format.mantissa_bits) + at.steps + (up ? 1 : 0);
}

std::uint32_t overflow_code(const FloatFormat& format, Overflow overflow, std::uint32_t sign) {
  if (overflow == Overflow::saturate) return sign | max_finite_code(format);
  switch (format.specials) {
    case Specials::ieee:
      return sign | (max_finite_code(format) + 1);
    case Specials::last_is_nan:
      return sign | nan_code(format);
    case Specials::minus_zero_nan:
      return nan_code(format);
  }
  return nan_code(format);
}

}  // namespace

std::uint32_t nearest(const FloatFormat& format, double value, Overflow overflow, NanSign nan_sign) {
  std::uint32_t const sign = std::signbit(value) ? sign_mask(format) : 0;
  if (std::isnan(value)) return nan_code(format) | (nan_sign == NanSign::kept ? sign : 0);
  if (std::isinf(value)) return overflow_code(format, overflow, sign);
  std::uint64_t const magnitude = rounded_magnitude(format, std::abs(value));
  if (magnitude > max_finite_code(format)) return overflow_code(format, overflow, sign);
  if (magnitude == 0 && !has_signed_zero(format)) return 0;
  return sign | static_cast<std::uint32_t>(magnitude);
}

Rounding rounding_of(const FloatFormat& format, double value) {
  if (std::isnan(value)) return Rounding::nan;
  if (std::isinf(value)) return Rounding::infinite;
  if (value == 0.0) return Rounding::zero;
  std::uint64_t const magnitude = rounded_magnitude(format, std::abs(value));
  if (magnitude == 0) return Rounding::underflows;
  if (magnitude > max_finite_code(format)) return Rounding::overflows;
  return (magnitude >> format.mantissa_bits) == 0 ? Rounding::subnormal : Rounding::normal;
}

bool is_tie(const FloatFormat& format, double value) {
  if (!std::isfinite(value)) return false;
  auto const at = in_steps(format, std::abs(value));
  auto const binades = static_cast<std::uint64_t>(at.binade - min_normal_exponent(format));
  // Past the largest finite value there is one more neighbour and no further one.
  bool const inside = (binades << format.mantissa_bits) + at.steps <= max_finite_code(format);
  return inside && at.remainder == Remainder::half;
}

bool is_exact(const FloatFormat& format, double value) {
  if (!std::isfinite(value)) return false;
  auto const code = rounded_magnitude(format, std::abs(value));
  return code <= max_finite_code(format) && in_steps(format, std::abs(value)).remainder == Remainder::none;
}

double half_step(const FloatFormat& format, double value) { return std::ldexp(1.0, in_steps(format, std::abs(value)).step_exponent - 1); }

}  // namespace redproof::oracle
