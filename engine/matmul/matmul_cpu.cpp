#include <array>
#include <cstddef>
#include <vector>

#include "engine/bits/bf16.h"
#include "engine/matmul/rows.h"

namespace redproof::engine {
namespace {

void row_to_f32(const Matrix& w, std::int64_t row, float* out) {
  const std::int64_t first = row * w.cols;
  const auto* halves = static_cast<const std::uint16_t*>(w.data) + (w.dtype == DType::f32 ? 0 : first);
  const auto* floats = static_cast<const float*>(w.data);
  for (std::int64_t k = 0; k < w.cols; ++k) {
    switch (w.dtype) {
      case DType::f32:
        out[k] = floats[first + k];
        break;
      case DType::bf16:
        out[k] = bf16_to_f32(halves[k]);
        break;
      case DType::f16:
        out[k] = f16_to_f32(halves[k]);
        break;
    }
  }
}

float dot(const float* x, const float* w, std::int64_t count) {
  std::array<float, 8> lane{};
  std::int64_t k = 0;
  for (; k + 8 <= count; k += 8) {
    for (std::size_t j = 0; j < 8; ++j) lane[j] += x[k + static_cast<std::int64_t>(j)] * w[k + static_cast<std::int64_t>(j)];
  }
  for (std::size_t j = 0; k < count; ++k, ++j) lane[j] += x[k] * w[k];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

}  // namespace

void matmul_rows_scalar(const MatmulRows& slice) {
  const Matrix& w = slice.w;
  std::vector<float> weights(static_cast<std::size_t>(w.cols));
  for (std::int64_t n = slice.begin; n < slice.end; ++n) {
    row_to_f32(w, n, weights.data());
    for (std::int64_t m = 0; m < slice.m; ++m) {
      const float sum = dot(slice.x + m * w.cols, weights.data(), w.cols);
      slice.y[m * w.rows + n] = slice.bias == nullptr ? sum : sum + slice.bias[n];
    }
  }
}

}  // namespace redproof::engine
