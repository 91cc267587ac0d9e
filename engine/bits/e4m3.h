#pragma once
#include <bit>
#include <cstdint>

// The numbers of e4m3fn as float32 bit patterns. Both instruction sets round with these, so that a wrong one is wrong in both.
namespace redproof::engine {

inline constexpr std::uint32_t e4m3_bias = 7;
inline constexpr std::uint32_t e4m3_mantissa_bits = 3;
inline constexpr std::uint8_t e4m3_max_code = 0x7E;  // 448
inline constexpr std::uint8_t e4m3_nan_code = 0x7F;
inline constexpr std::uint8_t e4m3_sign_bit = 0x80;

inline constexpr std::uint32_t f32_bias = 127;
inline constexpr std::uint32_t f32_mantissa_bits = 23;
inline constexpr std::uint32_t f32_magnitude_mask = 0x7FFFFFFF;
inline constexpr std::uint32_t f32_mantissa_mask = 0x007FFFFF;
inline constexpr std::uint32_t f32_implicit_bit = 0x00800000;
inline constexpr std::uint32_t f32_infinity = 0x7F800000;
inline constexpr std::uint32_t f32_quiet_nan = 0x7FC00000;

// The tie between 448 and the absent 480; it goes to 448, whose mantissa is even.
inline constexpr std::uint32_t e4m3_overflow_tie = std::bit_cast<std::uint32_t>(464.0F);
inline constexpr std::uint32_t e4m3_min_normal = (f32_bias - e4m3_bias + 1) << f32_mantissa_bits;  // 2^-6
inline constexpr std::uint32_t e4m3_rebias = (f32_bias - e4m3_bias) << f32_mantissa_bits;
inline constexpr std::uint32_t e4m3_dropped_bits = f32_mantissa_bits - e4m3_mantissa_bits;

// A float32 below 2^-6 with biased exponent e holds significand >> (this - e) steps of 2^-9.
inline constexpr std::uint32_t e4m3_subnormal_shift = f32_bias + f32_mantissa_bits - (e4m3_bias - 1 + e4m3_mantissa_bits);
inline constexpr std::uint32_t e4m3_zero_shift = f32_mantissa_bits + 2;  // from here on less than half a step is left

}  // namespace redproof::engine
