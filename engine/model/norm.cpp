#include "engine/model/norm.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace redproof::engine {
namespace {

float sum_of_squares(const float* x, std::size_t count) {
  std::array<float, 8> lane{};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (std::size_t j = 0; j < 8; ++j) lane[j] += x[i + j] * x[i + j];
  }
  for (std::size_t j = 0; i < count; ++i, ++j) lane[j] += x[i] * x[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

}  // namespace

void rms_norm(const float* x, std::span<const float> weight, float eps, std::int64_t rows, float* out) {
  const std::size_t size = weight.size();
  for (std::int64_t r = 0; r < rows; ++r, x += size, out += size) {
    const float mean = sum_of_squares(x, size) / static_cast<float>(size);
    const float inverse = 1.0F / std::sqrt(mean + eps);
    for (std::size_t i = 0; i < size; ++i) out[i] = (x[i] * inverse) * weight[i];
  }
}

}  // namespace redproof::engine
