#pragma once
#include <cstdint>
#include <vector>

#include "engine/kv/cache.h"
#include "engine/model/model.h"
#include "engine/serve/engine.h"

namespace redproof::engine {

struct GenerateRequest {
  const std::vector<std::vector<std::int32_t>>& prompts;
  std::int64_t max_tokens;
  std::int64_t chunk_tokens;  // most tokens of one forward pass
  bool keep_logits;
  bool ignore_eos;
};

struct GenerateRoom {
  Model& model;
  KvCache& cache;
  BlockPool& pool;  // of the cache; all blocks taken are given back
  const Observers& observers;
};

// What can be refused before the first forward pass.
void check_request(const GenerateRoom& room, const GenerateRequest& request);

// Engine::generate, over a loaded model.
std::vector<Generation> generate_greedy(const GenerateRoom& room, const GenerateRequest& request);

}  // namespace redproof::engine
