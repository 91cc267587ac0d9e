#include "oracle/format.h"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace redproof::oracle {
namespace {

constexpr std::array<FloatFormat, 7> table{e4m3fn, e5m2, e4m3fnuz, e5m2fnuz, bf16, f16, f32};

std::uint32_t magnitude_mask(const FloatFormat& format) { return sign_mask(format) - 1; }
std::uint32_t magnitude_of(const FloatFormat& format, std::uint32_t code) { return code & magnitude_mask(format); }
std::uint32_t infinity_magnitude(const FloatFormat& format) { return ((1U << format.exponent_bits) - 1) << format.mantissa_bits; }

void require_width(const FloatFormat& format, std::uint32_t code) {
  if ((code & ~(sign_mask(format) | magnitude_mask(format))) != 0) {
    throw std::out_of_range("code is wider than " + std::string(format.name));
  }
}

}  // namespace

std::span<const FloatFormat> all_formats() { return table; }
int total_bits(const FloatFormat& format) { return 1 + format.exponent_bits + format.mantissa_bits; }
std::uint32_t sign_mask(const FloatFormat& format) { return 1U << (total_bits(format) - 1); }
int min_normal_exponent(const FloatFormat& format) { return 1 - format.bias; }
bool has_signed_zero(const FloatFormat& format) { return format.specials != Specials::minus_zero_nan; }

std::uint32_t max_finite_code(const FloatFormat& format) {
  switch (format.specials) {
    case Specials::ieee:
      return infinity_magnitude(format) - 1;
    case Specials::last_is_nan:
      return magnitude_mask(format) - 1;
    case Specials::minus_zero_nan:
      return magnitude_mask(format);
  }
  throw std::out_of_range("specials");
}

std::uint32_t nan_code(const FloatFormat& format) {
  return format.specials == Specials::minus_zero_nan ? sign_mask(format) : magnitude_mask(format);
}

bool is_nan(const FloatFormat& format, std::uint32_t code) {
  require_width(format, code);
  switch (format.specials) {
    case Specials::ieee:
      return magnitude_of(format, code) > infinity_magnitude(format);
    case Specials::last_is_nan:
      return magnitude_of(format, code) == magnitude_mask(format);
    case Specials::minus_zero_nan:
      return code == sign_mask(format);
  }
  throw std::out_of_range("specials");
}

bool is_infinite(const FloatFormat& format, std::uint32_t code) {
  require_width(format, code);
  return format.specials == Specials::ieee && magnitude_of(format, code) == infinity_magnitude(format);
}

bool is_subnormal(const FloatFormat& format, std::uint32_t code) {
  require_width(format, code);
  auto const magnitude = magnitude_of(format, code);
  return magnitude != 0 && (magnitude >> format.mantissa_bits) == 0;
}

double value_of(const FloatFormat& format, std::uint32_t code) {
  if (is_nan(format, code)) return std::numeric_limits<double>::quiet_NaN();
  double const sign = (code & sign_mask(format)) != 0 ? -1.0 : 1.0;
  if (is_infinite(format, code)) return sign * std::numeric_limits<double>::infinity();
  auto const magnitude = magnitude_of(format, code);
  auto const field = static_cast<int>(magnitude >> format.mantissa_bits);
  auto significand = magnitude & ((1U << format.mantissa_bits) - 1);
  if (field != 0) significand |= 1U << format.mantissa_bits;
  // Exponent field 0 counts in the steps of field 1, without the leading one.
  int const exponent = (field == 0 ? 1 : field) - format.bias - format.mantissa_bits;
  return sign * std::ldexp(static_cast<double>(significand), exponent);
}

}  // namespace redproof::oracle
