#include "hot.h"

float sum_of_products(const float* a, const float* b, std::size_t count) {
  float sums[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (std::size_t i = 0; i + 8 <= count; i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  float sum = 0;
  for (float const one : sums) sum += one;
  return sum;
}

std::uint32_t next(std::uint32_t state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}
