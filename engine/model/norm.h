#pragma once
#include <cstdint>
#include <span>

namespace redproof::engine {

// out[r, :] = x[r, :] / sqrt(mean(x[r, :]^2) + eps) * weight, float32; the sum runs in 8 lanes as in matmul. x [rows, weight.size()];
// out may be x.
void rms_norm(const float* x, std::span<const float> weight, float eps, std::int64_t rows, float* out);

}  // namespace redproof::engine
