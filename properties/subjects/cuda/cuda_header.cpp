#include "properties/subjects/cuda/cuda_header.h"

#include <cuda_fp8.h>

namespace redproof::properties {
namespace {

__nv_saturation_t overflow(bool saturate) { return saturate ? __NV_SATFINITE : __NV_NOSAT; }

}  // namespace

std::uint8_t cuda_header_e4m3(float value, bool saturate) { return __nv_cvt_float_to_fp8(value, overflow(saturate), __NV_E4M3); }

std::uint8_t cuda_header_e5m2(float value, bool saturate) { return __nv_cvt_float_to_fp8(value, overflow(saturate), __NV_E5M2); }

}  // namespace redproof::properties
