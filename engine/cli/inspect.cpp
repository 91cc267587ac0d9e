#include <fmt/format.h>

#include "engine/checkpoint/kv_dtype.h"
#include "engine/cli/commands.h"
#include "engine/cli/report.h"
#include "engine/types/error.h"

namespace redproof::engine::cli {
namespace {

std::string unrouted_reason(const EnginePlan& plan, const std::string& flag) {
  try {
    require_routed(plan.kv_dtype, flag, plan.config);
    return {};
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
}

// A bfloat16 cache uses no scale, so no weight file is opened for it.
CheckpointScales scales_of(const EnginePlan& plan, const std::filesystem::path& model) {
  CheckpointScales scales;
  if (!plan.kv_dtype.storage) return scales;
  if (*plan.kv_dtype.storage == KvStorage::bfloat16) {
    scales.layers.assign(static_cast<std::size_t>(plan.config.layers), {KvScales{}, KvScaleOrigin::unused});
    return scales;
  }
  if (!Checkpoint::has_weights(model)) return scales;
  return load_kv_scales(Checkpoint::open(model), plan.config.layers, *plan.kv_dtype.storage);
}

}  // namespace

std::string inspect(const Arguments& arguments) {
  EngineOptions options = arguments.engine;
  options.announce = nullptr;  // the report says the same, and more
  Inspection inspection;
  inspection.model = options.model.string();
  inspection.plan = plan_engine(options);
  inspection.unrouted = unrouted_reason(inspection.plan, options.kv_cache_dtype);
  CheckpointScales scales = inspection.unrouted.empty() ? scales_of(inspection.plan, options.model) : CheckpointScales{};
  inspection.scales = std::move(scales.layers);
  inspection.scales_warning = std::move(scales.warning);
  return arguments.json ? inspection_json(inspection) : inspection_text(inspection);
}

}  // namespace redproof::engine::cli
