#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace redproof::oracle {

// Consecutive query rows of one sequence over its decoded, unscaled cache. Row i stands at position first_position + i and sees positions
// up to its own, of those the last window_tokens (0: all).
struct AttentionProblem {
  std::span<const float> q;  // [rows, q_heads, head_dim]
  std::span<const float> k;  // [tokens, kv_heads, head_dim], decoded, without the scale
  std::span<const float> v;  // [tokens, kv_heads, head_dim]
  std::int64_t rows;
  std::int64_t tokens;  // at least first_position + rows
  std::int64_t q_heads;
  std::int64_t kv_heads;
  std::int64_t head_dim;
  std::int64_t first_position;
  std::int64_t window_tokens;
  double softmax_scale;
  double k_scale;
  double v_scale;
};

struct AttentionTruth {
  std::vector<double> out;              // [rows, q_heads, head_dim]
  std::vector<double> lse;              // [rows, q_heads]: log of the sum of exp(score)
  std::vector<double> out_magnitude;    // [rows, q_heads, head_dim]: sum p |v| * v_scale: what a relative error of out is relative to
  std::vector<double> score_magnitude;  // [rows, q_heads]: the largest sum |q k| * softmax_scale * k_scale
};

// In long double, from the definition: every score, then exp(score - max), then the weighted mean. std::invalid_argument where the shapes
// disagree.
AttentionTruth attention(const AttentionProblem& problem);

// The KV head that a query head reads: the first q_heads / kv_heads query heads read head 0, the next ones head 1, ...
std::int64_t kv_head_of(std::int64_t q_head, std::int64_t q_heads, std::int64_t kv_heads);

}  // namespace redproof::oracle
