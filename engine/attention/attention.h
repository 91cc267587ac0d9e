#pragma once
#include <cstdint>
#include <span>

#include "engine/types/cpu.h"
#include "engine/types/kv.h"

namespace redproof::engine {

inline constexpr std::int64_t attention_tile_tokens = 64;  // tiles start at multiples of 64, whatever the page or chunk size

// Consecutive query rows of one sequence: row i stands at position first_position + i and sees positions up to its own.
struct AttentionSequence {
  std::int64_t first_row;
  std::int64_t rows;
  std::int64_t first_position;
  std::span<const std::int32_t> block_table;
};

struct AttentionCall {
  const float* q;        // [rows, q_heads, head_dim]
  float* out;            // [rows, q_heads, head_dim]
  float* lse;            // [rows, q_heads]: log of the sum of exp(score); may be null
  std::int32_t q_heads;  // a multiple of kv_heads; query head h reads KV head h / (q_heads / kv_heads)
  float softmax_scale;
  std::span<const AttentionSequence> sequences;
};

// The one attention seam of every architecture: score = (q . k) * (softmax_scale * k_scale), out = (sum p * v / sum p) * v_scale, over
// the positions within the layer's window. One row takes the decode path, more take the prefill path; their bits are equal.
// A row of a window of one token gives lse = score and out = v * v_scale exactly. Throws Refusal where pages and spec disagree.
void attend(const AttentionCall& call, const KvLayer& layer, const CpuOptions& cpu);

}  // namespace redproof::engine
