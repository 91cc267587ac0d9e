#include "oracle/stored_byte.h"

#include <bit>
#include <cmath>
#include <limits>

#include "oracle/nearest.h"

namespace redproof::oracle {
namespace {

// A positive finite float32 as significand * 2^exponent with a significand of exactly 24 bits.
struct Normalised {
  std::uint64_t significand;
  int exponent;
};

Normalised normalise(float magnitude) {
  auto const bits = std::bit_cast<std::uint32_t>(magnitude);
  auto const field = static_cast<int>(bits >> 23);
  std::uint64_t significand = bits & 0x7FFFFFU;
  if (field != 0) significand |= std::uint64_t{1} << 23;
  int const shift = 24 - static_cast<int>(std::bit_width(significand));
  return {significand << shift, (field == 0 ? 1 : field) - 150 - shift};
}

// A stand-in for |x / scale| that rounds to the same float32: 33 bits or more of the quotient, then one bit that says whether anything
// follows. float32 keeps 24, so the last bit can neither make nor hide a tie; the double holds all of them.
double quotient_stand_in(float x, float scale) {
  auto const [dividend, dividend_exponent] = normalise(x);
  auto const [divisor, divisor_exponent] = normalise(scale);
  std::uint64_t const quotient = (dividend << 32) / divisor;
  std::uint64_t const rest = (dividend << 32) % divisor;
  std::uint64_t const sticky = (quotient << 1) | (rest != 0 ? 1 : 0);
  return std::ldexp(static_cast<double>(sticky), dividend_exponent - divisor_exponent - 33);
}

float f32_nearest(double value) { return std::bit_cast<float>(nearest(f32, value, Overflow::non_saturate)); }

float with_sign(float magnitude, bool negative) { return negative ? -magnitude : magnitude; }

}  // namespace

float quotient_f32(float x, float scale) {
  bool const undefined = std::isnan(x) || std::isnan(scale) || (x == 0.0F && scale == 0.0F) || (std::isinf(x) && std::isinf(scale));
  if (undefined) return std::numeric_limits<float>::quiet_NaN();
  bool const negative = std::signbit(x) != std::signbit(scale);
  if (std::isinf(x) || scale == 0.0F) return with_sign(std::numeric_limits<float>::infinity(), negative);
  if (x == 0.0F || std::isinf(scale)) return with_sign(0.0F, negative);
  return with_sign(f32_nearest(quotient_stand_in(std::abs(x), std::abs(scale))), negative);
}

std::uint8_t stored_byte_f32(float x, float scale) {
  return static_cast<std::uint8_t>(nearest(e4m3fn, quotient_f32(x, scale), Overflow::saturate));
}

std::uint8_t stored_byte(std::uint16_t bf16_bits, float scale) { return stored_byte_f32(f32_from_bf16(bf16_bits), scale); }

// 4 bits times 24 bits: the double holds the product.
double read_value_exact(std::uint8_t code, float scale) { return value_of(e4m3fn, code) * static_cast<double>(scale); }
double read_value(std::uint8_t code, float scale) { return f32_nearest(read_value_exact(code, scale)); }

std::uint16_t bf16_from_f32(float value) {
  if (std::isnan(value)) {
    constexpr std::uint32_t quiet = 0x40;
    return static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(value) >> 16) | quiet);
  }
  return static_cast<std::uint16_t>(nearest(bf16, value, Overflow::non_saturate));
}

std::uint16_t bf16_from_f16(std::uint16_t bits) {
  bool const negative = (bits & 0x8000U) != 0;
  if (is_nan(f16, bits)) return negative ? 0xFFC0 : 0x7FC0;
  return static_cast<std::uint16_t>(nearest(bf16, value_of(f16, bits), Overflow::non_saturate));
}

float f32_from_bf16(std::uint16_t bits) { return static_cast<float>(value_of(bf16, bits)); }
float f32_from_f16(std::uint16_t bits) { return static_cast<float>(value_of(f16, bits)); }

}  // namespace redproof::oracle
