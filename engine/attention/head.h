#pragma once
#include <cstdint>
#include <vector>

#include "engine/attention/attention.h"
#include "engine/attention/row.h"

namespace redproof::engine {

// What every head of a call shares.
struct AttentionPlan {
  const AttentionCall& call;
  const KvLayer& layer;
  CpuIsa isa;
  std::int32_t group;  // query heads of one KV head
  float score_scale;   // softmax_scale * k_scale
  float out_scale;     // v_scale
};

// Consecutive rows of one sequence, for the query heads of one KV head.
struct AttentionHead {
  const AttentionSequence& sequence;
  std::int32_t kv_head;
  std::int64_t first_row;  // of the call
  std::int64_t rows;
};

struct PositionRange {
  std::int64_t begin;
  std::int64_t end;
};

// Memory of one thread, reused from head to head.
struct AttentionScratch {
  std::vector<float> k;    // [attention_tile_tokens, head_dim]
  std::vector<float> v;    // [attention_tile_tokens, head_dim]
  std::vector<float> acc;  // [rows * group, head_dim]
  std::vector<AttentionRow> rows;
};

PositionRange visible_positions(std::int64_t position, std::int64_t window_tokens);
std::int32_t query_head(const AttentionPlan& plan, std::int32_t kv_head, std::int32_t member);

// The rest of the range, up to the next multiple of attention_tile_tokens.
PositionRange tile_at(std::int64_t position, const PositionRange& range);

AttentionTile read_kv_tile(const AttentionPlan& plan, const AttentionHead& head, const PositionRange& positions, AttentionScratch& scratch);
void start_rows(const AttentionPlan& plan, const AttentionHead& head, AttentionScratch& scratch);
void finish_rows(const AttentionPlan& plan, const AttentionHead& head, const AttentionScratch& scratch);

void decode_head(const AttentionPlan& plan, const AttentionHead& head, AttentionScratch& scratch);   // one row
void prefill_head(const AttentionPlan& plan, const AttentionHead& head, AttentionScratch& scratch);  // decodes a tile once for all rows

}  // namespace redproof::engine
