#include <nlohmann/json.hpp>

#include "engine/cli/report.h"

namespace redproof::engine::cli {
namespace {

using Json = nlohmann::ordered_json;

// Text that is not UTF-8 (a token cut in two) is written with replacement characters.
std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json dtype_fields(const KvDtype& dtype) {
  return {{"kv_cache_dtype", dtype.name},
          {"kv_cache_dtype_origin", origin_name(dtype.origin)},
          {"kv_cache_storage", dtype.storage ? Json(storage_name(*dtype.storage)) : Json(nullptr)}};
}

Json layers_of(const Inspection& inspection) {
  Json layers = Json::array();
  for (std::size_t i = 0; i < inspection.plan.specs.size(); ++i) {
    const KvLayerSpec& spec = inspection.plan.specs[i];
    Json layer = {{"layer", i},
                  {"storage", storage_name(spec.storage)},
                  {"kv_heads", spec.kv_heads},
                  {"head_dim", spec.head_dim},
                  {"block_tokens", spec.block_tokens},
                  {"window_tokens", spec.window_tokens},
                  {"bytes_per_block", block_bytes(spec)}};
    if (i < inspection.scales.size()) {
      const auto& [value, origin] = inspection.scales[i];
      layer["scales"] = {{"k", value.k}, {"v", value.v}, {"origin", origin_name(origin)}};
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace

std::string completions_json(const std::vector<Completion>& completions, const EnginePlan& plan) {
  Json json = dtype_fields(plan.kv_dtype);
  json["completions"] = Json::array();
  for (const Completion& completion : completions) {
    json["completions"].push_back({{"prompt", text_or_null(completion.prompt)},
                                   {"prompt_tokens", completion.prompt_tokens},
                                   {"tokens", completion.tokens},
                                   {"text", text_or_null(completion.text)}});
  }
  return dump(json);
}

std::string inspection_json(const Inspection& inspection) {
  const EnginePlan& plan = inspection.plan;
  Json json = {{"model", inspection.model}, {"architecture", plan.config.architecture}};
  json.update(dtype_fields(plan.kv_dtype));
  json["routed"] = inspection.unrouted.empty();
  json["unrouted_reason"] = text_or_null(inspection.unrouted);
  json["warning"] = text_or_null(plan.kv_dtype.warning);
  json["scales_warning"] = text_or_null(inspection.scales_warning);
  json["layers"] = layers_of(inspection);
  json["bytes_per_block"] = plan.pool ? Json(block_bytes(plan.specs)) : Json(nullptr);
  json["num_blocks"] = plan.pool ? Json(plan.pool->num_blocks) : Json(nullptr);
  json["pool_bytes"] = plan.pool ? Json(plan.pool->bytes) : Json(nullptr);
  return dump(json);
}

std::string bench_json(const BenchResult& r) {
  return dump({{"read_gb_per_s", r.read_gb_per_s},
               {"prompt_tokens", r.prompt_tokens},
               {"prefill_tokens_per_s", r.prefill_tokens_per_s},
               {"decode_tokens", r.decode_tokens},
               {"decode_tokens_per_s", r.decode_tokens_per_s},
               {"bytes_per_token", r.bytes_per_token},
               {"decode_gb_per_s", r.decode_gb_per_s},
               {"share_of_read_bandwidth", r.share}});
}

}  // namespace redproof::engine::cli
