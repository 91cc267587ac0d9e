#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/scales.h"
#include "engine/kv/spec.h"
#include "engine/model/model.h"

namespace redproof::engine {

struct EngineOptions {
  std::filesystem::path model;
  std::string kv_cache_dtype = "auto";
  KvPoolRequest pool;
  std::int32_t block_tokens = default_block_tokens;
  std::int64_t chunk_tokens = 512;  // most tokens of one forward pass
  CpuOptions cpu;
  Observers observers;
  // One line a call: a declaration that was taken, a warning. Called once nothing can be refused any more; may be empty.
  std::function<void(const std::string&)> announce;
};

// What the configuration files alone decide. `engine inspect` prints it; Engine::load starts with it.
struct EnginePlan {
  ModelConfig config;
  KvDtype kv_dtype;
  std::vector<KvLayerSpec> specs;  // empty where kv_dtype.storage is
  std::optional<KvPoolPlan> pool;
};

// Order: config.json, KV dtype, sizes, announcement. Reads no weight. Refusal as its parts.
EnginePlan plan_engine(const EngineOptions& options);

struct Generation {
  std::vector<std::int32_t> tokens;        // the new ones
  std::vector<std::vector<float>> logits;  // [tokens][vocab_size], of each step, where asked for
};

class Engine {
 public:
  // plan_engine, then require_routed, and only then the weights: a lying weight file never hides a refusal. The announcements of the plan
  // and of the scales come last.
  static Engine load(const EngineOptions& options);
  ~Engine();
  Engine(Engine&&) noexcept;

  // Greedy decoding of all prompts in one batch: chunked prefill, then one token a sequence a step. Lowest id wins a tie. Stops at an
  // end-of-text token unless ignore_eos. Refusal: an empty prompt, a token out of range, a pool too small for the batch, too many
  // positions.
  std::vector<Generation> generate(const std::vector<std::vector<std::int32_t>>& prompts, std::int64_t max_tokens, bool keep_logits,
                                   bool ignore_eos = false);

  // Refusal, as generate's: what it would refuse before its first forward pass.
  void check(const std::vector<std::vector<std::int32_t>>& prompts, std::int64_t max_tokens) const;

  const EnginePlan& plan() const;
  const CheckpointScales& scales() const;
  KvCache& cache();
  Model& model();

 private:
  struct Impl;
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace redproof::engine
