#pragma once
#include <cstdint>

namespace redproof::engine {

float bf16_to_f32(std::uint16_t bits);
std::uint16_t f32_to_bf16(float value);  // nearest, ties to even; NaN stays NaN (quiet, sign kept)
float f16_to_f32(std::uint16_t bits);

}  // namespace redproof::engine
