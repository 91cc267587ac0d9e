#include <algorithm>

#include "engine/attention/head.h"
#include "engine/kv/read.h"

namespace redproof::engine {

PositionRange visible_positions(std::int64_t position, std::int64_t window_tokens) {
  const std::int64_t begin = window_tokens > 0 ? std::max<std::int64_t>(0, position - window_tokens + 1) : 0;
  return {begin, position + 1};
}

std::int32_t query_head(const AttentionPlan& plan, std::int32_t kv_head, std::int32_t member) { return kv_head * plan.group + member; }

PositionRange tile_at(std::int64_t position, const PositionRange& range) {
  const std::int64_t tile_end = (position / attention_tile_tokens + 1) * attention_tile_tokens;
  return {position, std::min(tile_end, range.end)};
}

AttentionTile read_kv_tile(const AttentionPlan& plan, const AttentionHead& head, const PositionRange& positions,
                           AttentionScratch& scratch) {
  const std::int64_t tokens = positions.end - positions.begin;
  read_tile(plan.layer.k, head.sequence.block_table, positions.begin, tokens, head.kv_head, plan.isa, scratch.k.data());
  read_tile(plan.layer.v, head.sequence.block_table, positions.begin, tokens, head.kv_head, plan.isa, scratch.v.data());
  return {scratch.k.data(), scratch.v.data(), tokens, plan.layer.spec.head_dim};
}

void start_rows(const AttentionPlan& plan, const AttentionHead& head, AttentionScratch& scratch) {
  const std::int64_t head_dim = plan.layer.spec.head_dim;
  const std::size_t tile_elements = static_cast<std::size_t>(attention_tile_tokens * head_dim);
  scratch.k.resize(tile_elements);
  scratch.v.resize(tile_elements);
  scratch.acc.resize(static_cast<std::size_t>(head.rows * plan.group * head_dim));
  scratch.rows.clear();
  float* acc = scratch.acc.data();
  for (std::int64_t row = head.first_row; row < head.first_row + head.rows; ++row) {
    const std::int64_t position = head.sequence.first_position + (row - head.sequence.first_row);
    for (std::int32_t member = 0; member < plan.group; ++member, acc += head_dim) {
      const float* q = plan.call.q + (row * plan.call.q_heads + query_head(plan, head.kv_head, member)) * head_dim;
      start_row(scratch.rows.emplace_back(AttentionRow{position, q, acc, 0, 0}), head_dim);
    }
  }
}

void finish_rows(const AttentionPlan& plan, const AttentionHead& head, const AttentionScratch& scratch) {
  const std::int64_t head_dim = plan.layer.spec.head_dim;
  const AttentionRow* row = scratch.rows.data();
  for (std::int64_t i = head.first_row; i < head.first_row + head.rows; ++i) {
    for (std::int32_t member = 0; member < plan.group; ++member, ++row) {
      const std::int64_t at = i * plan.call.q_heads + query_head(plan, head.kv_head, member);
      finish_row(*row, head_dim, plan.out_scale, plan.call.out + at * head_dim);
      if (plan.call.lse != nullptr) plan.call.lse[at] = log_sum_exp(*row);
    }
  }
}

}  // namespace redproof::engine
