#include "engine/attention/head.h"

namespace redproof::engine {

void decode_head(const AttentionPlan& plan, const AttentionHead& head, AttentionScratch& scratch) {
  start_rows(plan, head, scratch);
  const PositionRange visible = visible_positions(head.sequence.first_position, plan.layer.spec.window_tokens);
  for (std::int64_t position = visible.begin; position < visible.end;) {
    const PositionRange positions = tile_at(position, visible);
    const AttentionTile tile = read_kv_tile(plan, head, positions, scratch);
    for (AttentionRow& row : scratch.rows) add_tile(row, tile, plan.score_scale, plan.isa);
    position = positions.end;
  }
  finish_rows(plan, head, scratch);
}

}  // namespace redproof::engine
