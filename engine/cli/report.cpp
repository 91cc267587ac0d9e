#include "engine/cli/report.h"

#include <fmt/format.h>

#include "engine/checkpoint/printable.h"

namespace redproof::engine::cli {
namespace {

bool alike(const KvLayerSpec& a, const KvLayerSpec& b) {
  return a.storage == b.storage && a.kv_heads == b.kv_heads && a.head_dim == b.head_dim && a.block_tokens == b.block_tokens &&
         a.window_tokens == b.window_tokens;
}

std::string spec_text(std::size_t first, std::size_t last, const KvLayerSpec& spec) {
  const std::string attention = spec.window_tokens == 0 ? "full attention" : fmt::format("a window of {} tokens", spec.window_tokens);
  return fmt::format("layers {}-{}: {}, {}, {} KV heads of {}, {} tokens a block, {} bytes a block\n", first, last,
                     storage_name(spec.storage), attention, spec.kv_heads, spec.head_dim, spec.block_tokens, block_bytes(spec));
}

// Neighbours that are alike share a line.
std::string specs_text(const std::vector<KvLayerSpec>& specs) {
  std::string text;
  for (std::size_t first = 0; first < specs.size();) {
    std::size_t end = first + 1;
    while (end < specs.size() && alike(specs[first], specs[end])) ++end;
    text += spec_text(first, end - 1, specs[first]);
    first = end;
  }
  return text;
}

std::string scales_text(const std::vector<LayerScales>& scales) {
  std::string text;
  for (std::size_t layer = 0; layer < scales.size(); ++layer) {
    const auto& [value, origin] = scales[layer];
    text += fmt::format("scales of layer {}: k {}, v {} ({})\n", layer, value.k, value.v, origin_name(origin));
  }
  return text;
}

}  // namespace

const char* storage_name(KvStorage storage) { return storage == KvStorage::fp8_e4m3 ? "fp8_e4m3" : "bfloat16"; }

const char* origin_name(KvDtypeOrigin origin) {
  switch (origin) {
    case KvDtypeOrigin::flag:
      return "flag";
    case KvDtypeOrigin::checkpoint:
      return "checkpoint";
    case KvDtypeOrigin::fallback:
      return "default";
  }
  return "";
}

const char* origin_name(KvScaleOrigin origin) {
  switch (origin) {
    case KvScaleOrigin::checkpoint:
      return "checkpoint";
    case KvScaleOrigin::k_for_both:
      return "k_for_both";
    case KvScaleOrigin::undeclared:
      return "undeclared";
    case KvScaleOrigin::unused:
      return "unused";
  }
  return "";
}

std::string inspection_text(const Inspection& inspection) {
  const EnginePlan& plan = inspection.plan;
  const auto& storage = plan.kv_dtype.storage;
  std::string text = fmt::format("model: {} ({})\n", printable(inspection.model), plan.config.architecture);
  text += fmt::format("kv cache dtype: {}, origin: {}, storage: {}\n", printable(plan.kv_dtype.name), origin_name(plan.kv_dtype.origin),
                      storage ? storage_name(*storage) : "none");
  text += inspection.unrouted.empty() ? std::string("routed: yes\n") : fmt::format("routed: no: {}\n", printable(inspection.unrouted));
  for (const std::string& warning : {plan.kv_dtype.warning, inspection.scales_warning}) {
    if (!warning.empty()) text += fmt::format("warning: {}\n", printable(warning));
  }
  text += specs_text(plan.specs);
  if (plan.pool)
    text += fmt::format("pool: {} blocks of {} bytes, {} bytes\n", plan.pool->num_blocks, block_bytes(plan.specs), plan.pool->bytes);
  return text + scales_text(inspection.scales);
}

std::string bench_text(const BenchResult& r) {
  return fmt::format(
      "read bandwidth: {:.1f} GB/s (best of 1 and 2 threads)\n"
      "prefill: {} tokens, {:.1f} tokens/s\n"
      "decode: {} tokens, {:.1f} tokens/s, {} bytes a token, {:.1f} GB/s, {:.0f}% of the read bandwidth\n",
      r.read_gb_per_s, r.prompt_tokens, r.prefill_tokens_per_s, r.decode_tokens, r.decode_tokens_per_s, r.bytes_per_token,
      r.decode_gb_per_s, 100 * r.share);
}

}  // namespace redproof::engine::cli
