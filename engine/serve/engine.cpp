#include "engine/serve/engine.h"

#include <utility>

#include "engine/checkpoint/kv_dtype.h"
#include "engine/serve/announcements.h"
#include "engine/serve/generate.h"

namespace redproof::engine {
namespace {

std::vector<KvScales> cache_scales(const CheckpointScales& scales) {
  std::vector<KvScales> out;
  for (const LayerScales& layer : scales.layers) out.push_back(layer.scales);
  return out;
}

}  // namespace

struct Engine::Impl {
  EnginePlan plan;
  CheckpointScales scales;
  Model model;
  KvCache cache;
  BlockPool pool;
  Observers observers;
  std::int64_t chunk_tokens;
};

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;

Engine Engine::load(const EngineOptions& options) {
  std::vector<std::string> lines;
  EnginePlan plan = plan_engine(keeping(options, lines));
  require_routed(plan.kv_dtype, options.kv_cache_dtype, plan.config);
  Checkpoint checkpoint = Checkpoint::open(options.model);
  CheckpointScales scales = load_kv_scales(checkpoint, plan.config.layers, *plan.kv_dtype.storage);
  if (!scales.warning.empty()) lines.push_back(scales.warning);
  Model model(plan.config, std::move(checkpoint), options.cpu);
  const std::int64_t blocks = plan.pool->num_blocks;
  KvCache cache(plan.specs, cache_scales(scales), blocks);
  Engine engine(std::make_unique<Impl>(Impl{std::move(plan), std::move(scales), std::move(model), std::move(cache), BlockPool(blocks),
                                            options.observers, options.chunk_tokens}));
  announce(options, lines);
  return engine;
}

std::vector<Generation> Engine::generate(const std::vector<std::vector<std::int32_t>>& prompts, std::int64_t max_tokens, bool keep_logits,
                                         bool ignore_eos) {
  return generate_greedy({impl_->model, impl_->cache, impl_->pool, impl_->observers},
                         {prompts, max_tokens, impl_->chunk_tokens, keep_logits, ignore_eos});
}

void Engine::check(const std::vector<std::vector<std::int32_t>>& prompts, std::int64_t max_tokens) const {
  check_request({impl_->model, impl_->cache, impl_->pool, impl_->observers}, {prompts, max_tokens, impl_->chunk_tokens, false, false});
}

const EnginePlan& Engine::plan() const { return impl_->plan; }
const CheckpointScales& Engine::scales() const { return impl_->scales; }
KvCache& Engine::cache() { return impl_->cache; }
Model& Engine::model() { return impl_->model; }

}  // namespace redproof::engine
