#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/checkpoint/safetensors.h"
#include "engine/kv/cache.h"
#include "engine/types/cpu.h"
#include "engine/types/model.h"

namespace redproof::engine {

// Called when a layer's K and V of a batch are in their pages, before that layer's attention reads them; it may rewrite pages.
using AfterStore = std::function<void(std::int32_t layer, KvLayer& pages)>;
// Called with a layer's queries (after norm and RoPE) and its attention output before o_proj, both [rows, q_heads * head_dim]. Read-only.
using AfterAttention = std::function<void(std::int32_t layer, std::span<const float> q, std::span<const float> output)>;

struct Observers {
  AfterStore after_store;
  AfterAttention after_attention;
};

// Consecutive new tokens of one sequence, whose earlier tokens are in the cache.
struct SequenceChunk {
  std::span<const std::int32_t> tokens;
  std::int64_t first_position;
  std::span<const std::int32_t> block_table;  // covers first_position + tokens.size()
};

// A decoder-only transformer of any routed architecture. Weights stay memory-mapped in the checkpoint.
class Model {
 public:
  Model(ModelConfig config, Checkpoint checkpoint, CpuOptions cpu);
  ~Model();
  Model(Model&&) noexcept;

  // Runs one batch and returns the logits of each chunk's last token, [chunks, vocab_size].
  std::vector<float> forward(std::span<const SequenceChunk> chunks, KvCache& cache, const Observers& observers);
  const ModelConfig& config() const;
  const CpuOptions& cpu() const;                // how its kernels run
  std::int64_t weight_bytes_per_token() const;  // bytes of weights that one decode step reads

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace redproof::engine
