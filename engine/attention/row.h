#pragma once
#include <cstdint>

#include "engine/types/cpu.h"

namespace redproof::engine {

// One query head of one token on its way through the tiles: the running maximum of its scores, and sums relative to it.
struct AttentionRow {
  std::int64_t position;
  const float* q;  // [head_dim]
  float* acc;      // [head_dim], sum of exp(score - max) * v
  float max;
  float sum;  // of exp(score - max)
};

// K and V of consecutive positions of one KV head, decoded, not scaled.
struct AttentionTile {
  const float* k;  // [tokens, head_dim]
  const float* v;  // [tokens, head_dim]
  std::int64_t tokens;
  std::int64_t head_dim;
};

void start_row(AttentionRow& row, std::int64_t head_dim);

// Adds a tile of at most attention_tile_tokens to a row; score = (q . k) * score_scale.
void add_tile(AttentionRow& row, const AttentionTile& tile, float score_scale, CpuIsa isa);

// out[d] = acc[d] / sum * out_scale.
void finish_row(const AttentionRow& row, std::int64_t head_dim, float out_scale, float* out);

float log_sum_exp(const AttentionRow& row);

// scores[t] = (q . k[t]) * score_scale. A dot product has 8 lanes, element i in lane i % 8, multiply then add, then the tree
// ((0+4)+(2+6)) + ((1+5)+(3+7)). Both give equal bits.
void score_tile_scalar(const float* q, const AttentionTile& tile, float score_scale, float* scores);
void score_tile_avx2(const float* q, const AttentionTile& tile, float score_scale, float* scores);

// acc[d] = acc[d] * correction + weights[0] * v[0][d] + weights[1] * v[1][d] ..., in this order. Both give equal bits.
void weigh_tile_scalar(const float* weights, const AttentionTile& tile, float correction, float* acc);
void weigh_tile_avx2(const float* weights, const AttentionTile& tile, float correction, float* acc);

}  // namespace redproof::engine
