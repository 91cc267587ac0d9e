#pragma once
#include <cstdint>

namespace redproof::oracle {

// Truth of the store: nearest_e4m3fn_saturating(RNE_float32(x / scale)), NaN gives 0x7F. The division is done on integers.
std::uint8_t stored_byte(std::uint16_t bf16_bits, float scale);
std::uint8_t stored_byte_f32(float x, float scale);  // the same of a float32 that no source dtype has rounded

// Truth of the read: RNE_float32(decode(code) * scale), one float32 multiplication. NaN codes give NaN.
double read_value(std::uint8_t code, float scale);
double read_value_exact(std::uint8_t code, float scale);  // decode(code) * scale, unrounded

// IEEE division, nearest even, by integer long division; x / 0 is infinite, 0 / 0 and inf / inf are NaN.
float quotient_f32(float x, float scale);

std::uint16_t bf16_from_f32(float value);  // nearest even; NaN stays NaN: quiet, sign kept
std::uint16_t bf16_from_f16(std::uint16_t bits);
float f32_from_bf16(std::uint16_t bits);
float f32_from_f16(std::uint16_t bits);

}  // namespace redproof::oracle
