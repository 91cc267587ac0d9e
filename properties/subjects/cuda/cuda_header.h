#pragma once
#include <cstdint>

namespace redproof::properties {

// The subject `cuda_header`: the conversions of CUDA's cuda_fp8.h, run on the host. Built only where the header is found.
std::uint8_t cuda_header_e4m3(float value, bool saturate);
std::uint8_t cuda_header_e5m2(float value, bool saturate);

}  // namespace redproof::properties
