#include <fmt/core.h>

#include "engine/checkpoint/config.h"
#include "engine/checkpoint/kv_dtype.h"
#include "engine/serve/engine.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

void require_range(const char* flag, std::int64_t value, std::int64_t most) {
  if (value < 1 || value > most) throw Refusal(fmt::format("{}: {} is not in 1 to {}", flag, value, most));
}

// Of a dtype that pages will hold: a declaration that was taken is said, one that the user typed is not. What is said is what they hold.
std::string announcement(const KvDtype& dtype) {
  if (dtype.origin != KvDtypeOrigin::checkpoint) return {};
  const std::string name = *dtype.storage == KvStorage::fp8_e4m3 ? "fp8_e4m3" : "bfloat16";
  return fmt::format("kv cache dtype: {} (declared by the checkpoint)", name);
}

void announce(const EngineOptions& options, const std::string& line) {
  if (options.announce && !line.empty()) options.announce(line);
}

}  // namespace

EnginePlan plan_engine(const EngineOptions& options) {
  require_range("--block-size", options.block_tokens, 1 << 16);
  require_range("--chunk-tokens", options.chunk_tokens, 1 << 20);
  require_range("--threads", options.cpu.threads, 1024);
  EnginePlan plan{read_config(options.model), resolve_kv_dtype(options.kv_cache_dtype, options.model), {}, {}};
  if (!plan.kv_dtype.storage) return plan;
  plan.specs = layer_specs(plan.config, *plan.kv_dtype.storage, options.block_tokens);
  plan.pool = plan_pool(plan.specs, options.pool);
  announce(options, announcement(plan.kv_dtype));
  announce(options, plan.kv_dtype.warning);
  return plan;
}

}  // namespace redproof::engine
