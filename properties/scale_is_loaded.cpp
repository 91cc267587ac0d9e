// Each layer's scales are the checkpoint's own, under every name and for every arm of presence: both, K alone (which then serves both
// sides), or none (1.0).
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using engine::KvScaleOrigin;

// Every layer's pair is its own, and no pair is the reverse of another.
CheckpointOptions scaled_options(ScaleNames names) {
  CheckpointOptions options;
  options.scale_names = names;
  options.k_scales = {0.06F, 0.5F, 0.0123F};
  options.v_scales = {0.35F, 3.0F, 1.75F};
  return options;
}

struct Truth {
  std::vector<float> k;
  std::vector<float> v;
  KvScaleOrigin origin;
};

void check_scales(const CheckpointOptions& options, const Truth& truth, const std::string& inputs, Tally& tally) {
  CheckpointDir const dir(options);
  auto loaded = load_directory(dir.path(), "fp8");
  if (loaded.refused) {
    if (tally.equal(false)) tally.witness({"load", inputs, loaded.message, "loaded"});
    return;
  }
  auto& engine = loaded.engine.front();
  for (std::size_t i = 0; i < engine.cache().layers(); ++i) {
    auto const& scales = engine.cache().layer(i).scales;
    tally.count("layers");
    if (tally.equal(scales.k == truth.k[i]))
      tally.witness({"k_scale of layer " + std::to_string(i), inputs, std::to_string(scales.k), std::to_string(truth.k[i])});
    if (tally.equal(scales.v == truth.v[i]))
      tally.witness({"v_scale of layer " + std::to_string(i), inputs, std::to_string(scales.v), std::to_string(truth.v[i])});
    auto const origin = engine.scales().layers[i].origin;
    if (tally.equal(origin == truth.origin)) {
      tally.witness({"origin of layer " + std::to_string(i), inputs, std::to_string(static_cast<int>(origin)),
                     std::to_string(static_cast<int>(truth.origin))});
    }
  }
}

std::vector<float> plain(const std::vector<std::optional<float>>& scales) {
  std::vector<float> values;
  for (auto const& scale : scales) values.push_back(scale.value_or(1.0F));
  return values;
}

}  // namespace

LawVerdict scale_is_loaded() {
  Law law{"scale_is_loaded", "cpu", "exact: float32 values of the checkpoint"};
  law.floors = {{"layers", 24}, {"names", 6}};
  law.separates = {"scales/layer_0_for_all", "scales/floor_at_1", "scales/v_from_k"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const names : {ScaleNames::attn, ScaleNames::plain, ScaleNames::proj, ScaleNames::qkv_proj, ScaleNames::cache}) {
      auto const options = scaled_options(names);
      tally.count("names");
      check_scales(options, {plain(options.k_scales), plain(options.v_scales), KvScaleOrigin::checkpoint},
                   "names of style " + std::to_string(static_cast<int>(names)), tally);
    }
    auto both_from_k = scaled_options(ScaleNames::kv_scale);
    both_from_k.v_scales.clear();
    tally.count("names");
    check_scales(both_from_k, {plain(both_from_k.k_scales), plain(both_from_k.k_scales), KvScaleOrigin::k_for_both}, "kv_scale", tally);
    both_from_k.scale_names = ScaleNames::attn;
    check_scales(both_from_k, {plain(both_from_k.k_scales), plain(both_from_k.k_scales), KvScaleOrigin::k_for_both}, "k_scale alone",
                 tally);
    CheckpointOptions const none;
    check_scales(none, {{1, 1, 1}, {1, 1, 1}, KvScaleOrigin::undeclared}, "no scale", tally);
  });
}

}  // namespace redproof::properties
