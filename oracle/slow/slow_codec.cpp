#include "oracle/slow/slow_codec.h"

#include <cmath>
#include <limits>

namespace redproof::oracle::slow {
namespace {

std::uint32_t half_range(const FloatFormat& format) {  // codes of one sign
  std::uint32_t count = 1;
  for (int bit = 0; bit < format.exponent_bits + format.mantissa_bits; ++bit) count += count;
  return count;
}

std::uint32_t codes_in_a_binade(const FloatFormat& format) {
  std::uint32_t count = 1;
  for (int bit = 0; bit < format.mantissa_bits; ++bit) count += count;
  return count;
}

// The codes of one sign that are left when the format's NaN and infinity are taken off the top.
std::uint32_t count_finite(const FloatFormat& format) {
  if (format.specials == Specials::ieee) return half_range(format) - codes_in_a_binade(format);
  if (format.specials == Specials::last_is_nan) return half_range(format) - 1;
  return half_range(format);
}

double first_step(const FloatFormat& format) {
  double step = 2;  // 2^(1 - bias - mantissa_bits)
  for (int i = 0; i < format.bias + format.mantissa_bits; ++i) step /= 2;
  return step;
}

// Subnormals and the first binade share one step; every later binade doubles it.
std::vector<Fixed> count_up(const FloatFormat& format) {
  std::vector<Fixed> values;
  Fixed value;
  Fixed step(first_step(format));
  std::uint32_t const binade = codes_in_a_binade(format);
  std::uint32_t left = 2 * binade;
  for (std::uint32_t code = 0; code <= count_finite(format); ++code, --left) {
    if (left == 0) {
      step += step;
      left = binade;
    }
    values.push_back(value);
    value += step;
  }
  return values;
}

}  // namespace

SlowCodec::SlowCodec(const FloatFormat& format) : format_(format), values_(count_up(format)) {}

std::uint32_t SlowCodec::finite_codes() const { return static_cast<std::uint32_t>(values_.size() - 1); }

double SlowCodec::decode(std::uint32_t code) const {
  std::uint32_t const half = half_range(format_);
  bool const negative = code >= half;
  std::uint32_t const magnitude = negative ? code - half : code;
  double const nan = std::numeric_limits<double>::quiet_NaN();
  if (format_.specials == Specials::minus_zero_nan && negative && magnitude == 0) return nan;
  if (magnitude < finite_codes()) return negative ? -values_[magnitude].to_double() : values_[magnitude].to_double();
  if (format_.specials != Specials::ieee || magnitude > finite_codes()) return nan;
  return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
}

std::uint32_t SlowCodec::magnitude_code(const Fixed& magnitude) const {
  for (std::uint32_t code = 0; code < finite_codes(); ++code) {
    if (magnitude >= values_[code + 1]) continue;
    // Twice the value against the sum of its neighbours.
    auto const order = magnitude + magnitude <=> values_[code] + values_[code + 1];
    if (order == 0) return code % 2 == 0 ? code : code + 1;
    return order < 0 ? code : code + 1;
  }
  return finite_codes();
}

std::uint32_t SlowCodec::overflow_code(Overflow overflow, bool negative) const {
  std::uint32_t const sign = negative ? half_range(format_) : 0;
  if (overflow == Overflow::saturate) return sign + finite_codes() - 1;
  if (format_.specials == Specials::minus_zero_nan) return half_range(format_);
  return sign + finite_codes();  // the code after the last finite one: infinity, or e4m3fn's NaN
}

std::uint32_t SlowCodec::encode(double value, Overflow overflow, NanSign nan_sign) const {
  bool const negative = std::signbit(value);
  std::uint32_t const half = half_range(format_);
  if (std::isnan(value)) {
    if (format_.specials == Specials::minus_zero_nan) return half;
    return (negative && nan_sign == NanSign::kept ? half : 0) + half - 1;
  }
  if (std::isinf(value)) return overflow_code(overflow, negative);
  std::uint32_t const magnitude = magnitude_code(Fixed(negative ? -value : value));
  if (magnitude == finite_codes()) return overflow_code(overflow, negative);
  if (magnitude == 0 && format_.specials == Specials::minus_zero_nan) return 0;
  return negative ? half + magnitude : magnitude;
}

}  // namespace redproof::oracle::slow
