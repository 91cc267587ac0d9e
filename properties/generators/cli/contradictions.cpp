#include "properties/generators/cli/contradictions.h"

#include <fmt/format.h>

#include "engine/types/error.h"

namespace redproof::properties::cli {
namespace {

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw engine::Refusal(otherwise);
}

void require_heads(const CheckpointOptions& o) {
  require(o.q_heads % o.kv_heads == 0, fmt::format("--kv-heads: {} does not divide --q-heads {}", o.kv_heads, o.q_heads));
  require(o.head_dim % 2 == 0, fmt::format("--head-dim: {} is odd: rotation turns pairs of lanes", o.head_dim));
}

void require_family(const CheckpointOptions& o) {
  const bool llama = o.family == Family::llama;
  require(llama || !o.attention_bias, "--attention-bias: Llama only");
  require(llama || !o.mlp_bias, "--mlp-bias: Llama only");
  require(!llama || o.windows.empty(), "--window: a Llama model has none");
}

void require_rope(const engine::RopeConfig& rope) {
  const bool llama3 = rope.type == engine::RopeType::llama3;
  const bool stretched = llama3 || rope.type == engine::RopeType::yarn;
  require(!stretched || rope.original_max_position_embeddings > 0,
          fmt::format("--rope {}: needs --rope-original-positions", llama3 ? "llama3" : "yarn"));
}

}  // namespace

void refuse_contradictions(const CheckpointOptions& options) {
  require_heads(options);
  require_family(options);
  require_rope(options.rope);
  require(!options.tokenizer || options.vocab >= tokenizer_vocab,
          fmt::format("--tokenizer: needs a --vocab of {} or more", tokenizer_vocab));
}

}  // namespace redproof::properties::cli
