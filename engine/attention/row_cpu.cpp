#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/attention/attention.h"
#include "engine/attention/row.h"

namespace redproof::engine {
namespace {

using TileScores = std::array<float, attention_tile_tokens>;

float dot(const float* q, const float* k, std::int64_t head_dim) {
  float lane[8] = {};
  for (std::int64_t i = 0; i < head_dim; ++i) lane[i % 8] += q[i] * k[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

// exp in float32 from the C library for both instruction sets. Turns scores into weights in place, returns their sum.
float weights_of(TileScores& scores, std::int64_t tokens, float max) {
  float sum = 0.0F;
  for (std::int64_t t = 0; t < tokens; ++t) {
    float& score = scores[static_cast<std::size_t>(t)];
    score = std::exp(score - max);
    sum += score;
  }
  return sum;
}

}  // namespace

void score_tile_scalar(const float* q, const AttentionTile& tile, float score_scale, float* scores) {
  for (std::int64_t t = 0; t < tile.tokens; ++t) scores[t] = dot(q, tile.k + t * tile.head_dim, tile.head_dim) * score_scale;
}

void weigh_tile_scalar(const float* weights, const AttentionTile& tile, float correction, float* acc) {
  for (std::int64_t d = 0; d < tile.head_dim; ++d) acc[d] *= correction;
  for (std::int64_t t = 0; t < tile.tokens; ++t) {
    for (std::int64_t d = 0; d < tile.head_dim; ++d) acc[d] += weights[t] * tile.v[t * tile.head_dim + d];
  }
}

// Sums start at -0, the identity of addition for -0 too: one visible token then gives its v with every bit.
void start_row(AttentionRow& row, std::int64_t head_dim) {
  row.max = -std::numeric_limits<float>::infinity();
  row.sum = 0.0F;
  std::fill_n(row.acc, head_dim, -0.0F);
}

void add_tile(AttentionRow& row, const AttentionTile& tile, float score_scale, CpuIsa isa) {
  TileScores scores;
  const bool avx2 = isa == CpuIsa::avx2;
  avx2 ? score_tile_avx2(row.q, tile, score_scale, scores.data()) : score_tile_scalar(row.q, tile, score_scale, scores.data());
  const float max = std::max(row.max, *std::max_element(scores.begin(), scores.begin() + tile.tokens));
  const float correction = std::exp(row.max - max);
  row.sum = row.sum * correction + weights_of(scores, tile.tokens, max);
  row.max = max;
  avx2 ? weigh_tile_avx2(scores.data(), tile, correction, row.acc) : weigh_tile_scalar(scores.data(), tile, correction, row.acc);
}

void finish_row(const AttentionRow& row, std::int64_t head_dim, float out_scale, float* out) {
  for (std::int64_t d = 0; d < head_dim; ++d) out[d] = row.acc[d] / row.sum * out_scale;
}

float log_sum_exp(const AttentionRow& row) { return row.max + std::log(row.sum); }

}  // namespace redproof::engine
