#pragma once
#include <cstdint>

#include "engine/bits/isa.h"

namespace redproof::engine {

// e4m3fn: nearest, ties to even, saturating: above 464 and +-inf give +-448; NaN gives 0x7F; signed zero kept.
std::uint8_t f32_to_e4m3(float value);
float e4m3_to_f32(std::uint8_t code);  // 0x7F and 0xFF give a quiet NaN of that sign

// byte[i] = f32_to_e4m3(bf16_to_f32(source[i]) / scale), one true float32 division. Both give equal bytes.
void store_e4m3_scalar(const std::uint16_t* source, float scale, std::int64_t count, std::uint8_t* bytes);
void store_e4m3_avx2(const std::uint16_t* source, float scale, std::int64_t count, std::uint8_t* bytes);

// f32_to_e4m3 over an array.
void encode_e4m3_scalar(const float* source, std::int64_t count, std::uint8_t* bytes);
void encode_e4m3_avx2(const float* source, std::int64_t count, std::uint8_t* bytes);

// e4m3_to_f32 over an array.
void decode_e4m3_scalar(const std::uint8_t* bytes, std::int64_t count, float* out);
void decode_e4m3_avx2(const std::uint8_t* bytes, std::int64_t count, float* out);

}  // namespace redproof::engine
