#pragma once
#include <cstddef>
#include <cstdint>

namespace redproof::engine {

float bf16_to_f32(std::uint16_t bits);
std::uint16_t f32_to_bf16(float value);  // nearest, ties to even; NaN stays NaN (quiet, sign kept)
float f16_to_f32(std::uint16_t bits);

// bf16_to_f32 over an array that need not be aligned.
void decode_bf16_scalar(const std::byte* source, std::int64_t count, float* out);
void decode_bf16_avx2(const std::byte* source, std::int64_t count, float* out);

}  // namespace redproof::engine
