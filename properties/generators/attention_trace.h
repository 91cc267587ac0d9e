#pragma once
#include <string>
#include <vector>

#include "engine/serve/engine.h"
#include "properties/generators/engine_fixture.h"

namespace redproof::properties {

// What the observer saw of one layer, rows in the order of positions.
struct AttentionRows {
  std::vector<float> q;    // [tokens, q_heads, head_dim]
  std::vector<float> out;  // [tokens, q_heads, head_dim], before o_proj
};

// One prompt on a fresh engine, prefilled in chunks, then decoded.
struct AttentionTrace {
  std::vector<AttentionRows> layers;
  std::vector<engine::Engine> engine;  // one
  std::int64_t tokens;                 // that are in the pages, each with its row in `layers`
};

AttentionTrace trace_attention(const CheckpointDir& dir, const std::string& flag, const CheckpointOptions& options,
                               std::int64_t prompt_tokens, std::int64_t new_tokens);

// The first `tokens` positions of a side, decoded and not scaled, [tokens, kv_heads, head_dim]. The pool hands out blocks from the lowest
// id, so that position p of the only sequence is in page p / block_tokens.
std::vector<float> decoded_side(const engine::KvPages& pages, std::int64_t tokens);

}  // namespace redproof::properties
