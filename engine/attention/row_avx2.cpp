#include <immintrin.h>

#include "engine/attention/row.h"

namespace redproof::engine {
namespace {

// ((0+4)+(2+6)) + ((1+5)+(3+7))
float tree(__m256 lanes) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

__m256 multiply_add(__m256 sum, const float* a, const float* b) {
  return _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(b)));
}

// The last elements of a head_dim that is no multiple of 8 go to lanes 0, 1, ...
__m256 add_tail(__m256 sum, const float* a, const float* b, std::int64_t count) {
  float lane[8];
  _mm256_storeu_ps(lane, sum);
  for (std::int64_t i = 0; i < count; ++i) lane[i] += a[i] * b[i];
  return _mm256_loadu_ps(lane);
}

float dot(const float* q, const float* k, std::int64_t head_dim) {
  __m256 sum = _mm256_setzero_ps();
  std::int64_t i = 0;
  for (; i + 8 <= head_dim; i += 8) sum = multiply_add(sum, q + i, k + i);
  if (i < head_dim) sum = add_tail(sum, q + i, k + i, head_dim - i);
  return tree(sum);
}

// Four tokens at a time hide the latency of the additions; each keeps its own order. Unrolled, so that the sums stay in registers.
void dot_four(const float* q, const float* k, std::int64_t head_dim, float* dots) {
  const float* const row[4] = {k, k + head_dim, k + 2 * head_dim, k + 3 * head_dim};
  __m256 sum[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
  std::int64_t i = 0;
  for (; i + 8 <= head_dim; i += 8) {
#pragma GCC unroll 8
    for (int t = 0; t < 4; ++t) sum[t] = multiply_add(sum[t], q + i, row[t] + i);
  }
#pragma GCC unroll 8
  for (int t = 0; t < 4; ++t) {
    if (i < head_dim) sum[t] = add_tail(sum[t], q + i, row[t] + i, head_dim - i);
    dots[t] = tree(sum[t]);
  }
}

// One column of `Vectors` * 8 lanes, over all tokens.
template <int Vectors>
void weigh_column(const float* weights, const AttentionTile& tile, std::int64_t first, float correction, float* acc) {
  __m256 sum[Vectors];
#pragma GCC unroll 8
  for (int j = 0; j < Vectors; ++j) sum[j] = _mm256_mul_ps(_mm256_loadu_ps(acc + first + 8 * j), _mm256_set1_ps(correction));
  for (std::int64_t t = 0; t < tile.tokens; ++t) {
    const float* v = tile.v + t * tile.head_dim + first;
    const __m256 weight = _mm256_set1_ps(weights[t]);
#pragma GCC unroll 8
    for (int j = 0; j < Vectors; ++j) sum[j] = _mm256_add_ps(sum[j], _mm256_mul_ps(weight, _mm256_loadu_ps(v + 8 * j)));
  }
#pragma GCC unroll 8
  for (int j = 0; j < Vectors; ++j) _mm256_storeu_ps(acc + first + 8 * j, sum[j]);
}

void weigh_lane(const float* weights, const AttentionTile& tile, std::int64_t d, float correction, float* acc) {
  float sum = acc[d] * correction;
  for (std::int64_t t = 0; t < tile.tokens; ++t) sum += weights[t] * tile.v[t * tile.head_dim + d];
  acc[d] = sum;
}

}  // namespace

void score_tile_avx2(const float* q, const AttentionTile& tile, float score_scale, float* scores) {
  std::int64_t t = 0;
  for (; t + 4 <= tile.tokens; t += 4) dot_four(q, tile.k + t * tile.head_dim, tile.head_dim, scores + t);
  for (; t < tile.tokens; ++t) scores[t] = dot(q, tile.k + t * tile.head_dim, tile.head_dim);
  for (t = 0; t < tile.tokens; ++t) scores[t] *= score_scale;
}

void weigh_tile_avx2(const float* weights, const AttentionTile& tile, float correction, float* acc) {
  std::int64_t d = 0;
  for (; d + 64 <= tile.head_dim; d += 64) weigh_column<8>(weights, tile, d, correction, acc);
  for (; d + 8 <= tile.head_dim; d += 8) weigh_column<1>(weights, tile, d, correction, acc);
  for (; d < tile.head_dim; ++d) weigh_lane(weights, tile, d, correction, acc);
}

}  // namespace redproof::engine
