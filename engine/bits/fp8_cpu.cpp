#include <algorithm>
#include <bit>

#include "engine/bits/bf16.h"
#include "engine/bits/e4m3.h"
#include "engine/bits/fp8.h"

namespace redproof::engine {
namespace {

// value / 2^shift, to nearest, ties to even. shift is at least 1.
std::uint32_t shift_to_nearest_even(std::uint32_t value, std::uint32_t shift) {
  const std::uint32_t odd = (value >> shift) & 1U;
  const std::uint32_t below_half = (1U << (shift - 1)) - 1U;
  return (value + below_half + odd) >> shift;
}

std::uint32_t round_normal(std::uint32_t magnitude) { return shift_to_nearest_even(magnitude - e4m3_rebias, e4m3_dropped_bits); }

std::uint32_t round_subnormal(std::uint32_t magnitude) {
  const std::uint32_t mantissa = magnitude & f32_mantissa_mask;
  const std::uint32_t significand = mantissa | f32_implicit_bit;  // mutate: skip(bitwise `^`) disjoint bits
  const std::uint32_t shift = std::min(e4m3_subnormal_shift - (magnitude >> f32_mantissa_bits), e4m3_zero_shift);
  return shift_to_nearest_even(significand, shift);
}

// The code of a finite or infinite magnitude. A carry out of the mantissa is the next exponent's first code, as it must be.
std::uint32_t round_magnitude(std::uint32_t magnitude) {
  // mutate: skip(relational `>=`) the tie rounds to the same code
  if (magnitude > e4m3_overflow_tie) return e4m3_max_code;
  // mutate: skip(relational `<=`) at the border both give the same code
  return magnitude < e4m3_min_normal ? round_subnormal(magnitude) : round_normal(magnitude);
}

}  // namespace

std::uint8_t f32_to_e4m3(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & f32_magnitude_mask;
  if (magnitude > f32_infinity) return e4m3_nan_code;
  const std::uint32_t sign = (bits >> 24) & e4m3_sign_bit;
  return static_cast<std::uint8_t>(sign | round_magnitude(magnitude));  // mutate: skip(bitwise `^`) disjoint bits
}

float e4m3_to_f32(std::uint8_t code) {
  const std::uint32_t sign = static_cast<std::uint32_t>(code & e4m3_sign_bit) << 24;
  const std::uint32_t magnitude = code & e4m3_nan_code;
  if (magnitude == e4m3_nan_code)
    return std::bit_cast<float>(sign | f32_quiet_nan);  // mutate: skip(bitwise `f32_quiet_nan`) of either sign
  // Codes that count 2^-9 steps.
  if (magnitude < (1U << e4m3_mantissa_bits)) {  // mutate: skip(constant `2U`, relational `<=`) so do the first normal codes
    // mutate: skip(bitwise `^`) disjoint bits
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-9F));
  }
  return std::bit_cast<float>(sign | ((magnitude << e4m3_dropped_bits) + e4m3_rebias));
}

void store_e4m3_scalar(const std::uint16_t* source, float scale, std::int64_t count, std::uint8_t* bytes) {
  for (std::int64_t i = 0; i < count; ++i) bytes[i] = f32_to_e4m3(bf16_to_f32(source[i]) / scale);
}

void encode_e4m3_scalar(const float* source, std::int64_t count, std::uint8_t* bytes) {
  for (std::int64_t i = 0; i < count; ++i) bytes[i] = f32_to_e4m3(source[i]);
}

void decode_e4m3_scalar(const std::uint8_t* bytes, std::int64_t count, float* out) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = e4m3_to_f32(bytes[i]);
}

}  // namespace redproof::engine
