#include <bit>
#include <cstring>

#include "engine/bits/bf16.h"

namespace redproof::engine {

float bf16_to_f32(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t f32_to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) {
    return static_cast<std::uint16_t>((bits >> 16) | 0x0040U);  // mutate: skip(constant `0x3fU`, constant `0x41U`) NaN too
  }
  const std::uint32_t odd = (bits >> 16) & 1U;
  return static_cast<std::uint16_t>((bits + 0x7FFFU + odd) >> 16);
}

float f16_to_f32(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1FU;
  const std::uint32_t mantissa = bits & 0x3FFU;
  if (exponent == 0) {  // a count of 2^-24 steps, exact in float32
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));  // mutate: skip(bitwise `^`) disjoint bits
  }
  if (exponent == 0x1F) {
    // mutate: skip(bitwise `^`, constant `12`, constant `0`, shift `mantissa`) disjoint bits, and other NaN
    return std::bit_cast<float>(sign | 0x7F800000U | (mantissa << 13));
  }
  return std::bit_cast<float>(sign | ((exponent + 127 - 15) << 23) | (mantissa << 13));  // mutate: skip(bitwise `^`) disjoint bits
}

void decode_bf16_scalar(const std::byte* source, std::int64_t count, float* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, source + i * 2, sizeof bits);
    out[i] = bf16_to_f32(bits);
  }
}

}  // namespace redproof::engine
