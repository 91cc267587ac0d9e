#include <algorithm>

#include "engine/attention/head.h"

namespace redproof::engine {
namespace {

// What some row of the block sees: consecutive positions, since each row sees itself and the next row starts at most one later.
PositionRange visible_to_any(const AttentionScratch& scratch, std::int64_t window_tokens) {
  return {visible_positions(scratch.rows.front().position, window_tokens).begin,
          visible_positions(scratch.rows.back().position, window_tokens).end};
}

// Hands a row the part of the tile that it sees.
void add_visible(AttentionRow& row, const AttentionTile& tile, const PositionRange& positions, const AttentionPlan& plan) {
  const PositionRange visible = visible_positions(row.position, plan.layer.spec.window_tokens);
  const std::int64_t begin = std::max(positions.begin, visible.begin);
  const std::int64_t end = std::min(positions.end, visible.end);
  if (begin >= end) return;
  const std::int64_t offset = (begin - positions.begin) * tile.head_dim;
  add_tile(row, {tile.k + offset, tile.v + offset, end - begin, tile.head_dim}, plan.score_scale, plan.isa);
}

}  // namespace

void prefill_head(const AttentionPlan& plan, const AttentionHead& head, AttentionScratch& scratch) {
  start_rows(plan, head, scratch);
  const PositionRange visible = visible_to_any(scratch, plan.layer.spec.window_tokens);
  for (std::int64_t position = visible.begin; position < visible.end;) {
    const PositionRange positions = tile_at(position, visible);
    const AttentionTile tile = read_kv_tile(plan, head, positions, scratch);
    for (AttentionRow& row : scratch.rows) add_visible(row, tile, positions, plan);
    position = positions.end;
  }
  finish_rows(plan, head, scratch);
}

}  // namespace redproof::engine
