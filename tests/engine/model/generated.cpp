#include "tests/engine/model/generated.h"

#include <random>

#include "engine/bits/isa.h"

namespace redproof::tests {

using properties::CheckpointOptions;
using properties::Family;

std::vector<NamedOptions> every_family() {
  CheckpointOptions llama;
  llama.attention_bias = true;
  llama.mlp_bias = true;
  llama.rope.type = engine::RopeType::llama3;
  llama.rope.factor = 8;
  llama.rope.original_max_position_embeddings = 64;
  CheckpointOptions qwen2;
  qwen2.family = Family::qwen2;
  qwen2.dtype = engine::DType::f16;
  qwen2.tied = true;
  qwen2.windows = {0, 7, 7};
  CheckpointOptions qwen3;
  qwen3.family = Family::qwen3;
  qwen3.dtype = engine::DType::f32;
  qwen3.rope.type = engine::RopeType::yarn;
  qwen3.rope.factor = 4;
  qwen3.rope.original_max_position_embeddings = 64;
  qwen3.rope_parameters = true;
  CheckpointOptions mistral;
  mistral.family = Family::mistral;
  mistral.windows = {5, 5, 5};
  mistral.shards = 3;
  return {{"llama", llama}, {"qwen2", qwen2}, {"qwen3", qwen3}, {"mistral", mistral}};
}

Generated::Generated(const CheckpointOptions& options) { properties::write_checkpoint(folder_.path(), options); }

engine::EngineOptions Generated::engine() const {
  engine::EngineOptions options;
  options.model = folder_.path();
  options.pool.num_blocks = 64;
  options.block_tokens = 4;
  options.cpu = {best_isa(), 1};
  return options;
}

engine::CpuIsa best_isa() { return engine::cpu_has_avx2() ? engine::CpuIsa::avx2 : engine::CpuIsa::scalar; }

std::vector<std::int32_t> some_tokens(std::int64_t count, std::int64_t vocab, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::int32_t> tokens;
  for (std::int64_t i = 0; i < count; ++i) tokens.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(vocab)));
  return tokens;
}

}  // namespace redproof::tests
