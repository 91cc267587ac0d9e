// Each layer's scales are the checkpoint's own, under every name, in every float dtype of a tensor, and for every arm of presence: both, K
// alone (which then serves both sides), or none (1.0). Two names of one scale that agree are one scale. Layers have one or two digits,
// and `inspect` prints what was loaded.
#include <cmath>
#include <sstream>

#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"
#include "properties/subjects/engine_program.h"

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

using Names = std::vector<std::string>;

// Every name that upstream's loader maps to a scale, below self_attn. Of `k_proj.v_scale` the second letter decides.
const Names k_names = {"attn.k_scale",       "k_scale",       "k_proj.k_scale", "v_proj.k_scale", "qkv_proj.k_scale",
                       "qkqkv_proj.k_scale", "k_cache.scale", "kv_scale"};
const Names v_names = {"attn.v_scale",       "v_scale",      "k_proj.v_scale", "v_proj.v_scale", "qkv_proj.v_scale",
                       "qkqkv_proj.v_scale", "v_cache.scale"};

// One scale a layer, under each of these names.
void add_scales(CheckpointOptions& options, const Names& names, const std::vector<float>& values) {
  for (std::size_t layer = 0; layer < values.size(); ++layer) {
    for (auto const& name : names) {
      options.extra_tensors.push_back(
          {"model.layers." + std::to_string(layer) + ".self_attn." + name, {}, {values[layer]}, engine::DType::f32});
    }
  }
}

void check_names(const Names& k, const Names& v, const std::string& inputs, Tally& tally) {
  CheckpointOptions options;
  std::vector<float> const k_values = {0.06F, 0.5F, 0.0123F};
  std::vector<float> const v_values = {0.35F, 3.0F, 1.75F};
  add_scales(options, k, k_values);
  add_scales(options, v, v_values);
  check_scales(options, {k_values, v_values, KvScaleOrigin::checkpoint}, inputs, tally);
}

void check_all_names(Tally& tally) {
  for (auto const& name : k_names) {
    tally.count("names");
    check_names({name}, {"attn.v_scale"}, name, tally);
  }
  for (auto const& name : v_names) {
    tally.count("names");
    check_names({"attn.k_scale"}, {name}, name, tally);
  }
  tally.count("names that agree", k_names.size() + v_names.size());
  check_names(k_names, v_names, "every name at once", tally);
}

// Values that one of the formats alone can hold, its subnormals and its largest among them.
void check_dtypes(Tally& tally) {
  struct Stored {
    engine::DType dtype;
    const char* name;
    std::vector<std::optional<float>> k, v;
  };
  for (auto const& one : std::vector<Stored>{
           {engine::DType::bf16, "BF16", {0x1p-100F, 0x1.82p-5F, 448.0F}, {0x1p+60F, 0x1.fep-1F, 0.5F}},
           {engine::DType::f16, "F16", {0x1p-24F, 0x1.824p-5F, 448.0F}, {0x1.8p-15F, 0x1.ffcp-1F, 65504.0F}},
           {engine::DType::f32, "F32", {0x1p-149F, 0x1.fffffcp-127F, 0x1.fffffep+127F}, {0x1.000002p-1F, 0x1p-126F, 0x1.8p-140F}},
       }) {
    for (auto const& shape : std::vector<std::vector<std::int64_t>>{{}, {1}, {1, 1}}) {
      CheckpointOptions options;
      options.scale_dtype = one.dtype;
      options.scale_shape = shape;
      options.k_scales = one.k;
      options.v_scales = one.v;
      tally.count(one.dtype == engine::DType::f32 ? "32-bit scale tensors" : "16-bit scale tensors");
      check_scales(options, {plain(one.k), plain(one.v), KvScaleOrigin::checkpoint},
                   std::string(one.name) + " tensors of " + std::to_string(shape.size()) + " axes", tally);
    }
  }
}

// Twelve layers of a pair each. Every third has one value on both sides, which is not 1 and no other layer's.
CheckpointOptions many_layers() {
  CheckpointOptions options;
  options.layers = 12;
  for (int layer = 0; layer < options.layers; ++layer) {
    float const k = std::ldexp(static_cast<float>(2 * layer + 3), -5);
    float const v = std::ldexp(static_cast<float>(2 * layer + 41), -4);
    options.k_scales.emplace_back(k);
    options.v_scales.emplace_back(layer % 3 == 1 ? k : v);
  }
  return options;
}

std::string decimal(float value) {  // exact: of at most six digits
  std::ostringstream text;
  text << value;
  return text.str();
}

// The part of the JSON report that is this layer's.
std::string json_of_layer(const std::string& json, int layer) {
  auto const begin = json.find("\"layer\": " + std::to_string(layer) + ",");
  return begin == std::string::npos ? "" : json.substr(begin, json.find("\"layer\": ", begin + 1) - begin);
}

void check_inspected(CheckpointOptions options, Tally& tally) {
  options.quantization_config = modelopt_fp8_inline;
  CheckpointDir const dir(options);
  auto const text = run_engine({"inspect", "--model", dir.path().string()});
  auto const json = run_engine({"inspect", "--model", dir.path().string(), "--json"});
  for (int layer = 0; layer < options.layers; ++layer) {
    auto const at = static_cast<std::size_t>(layer);
    std::string const k = decimal(*options.k_scales[at]);
    std::string const v = decimal(*options.v_scales[at]);
    std::string const line = "scales of layer " + std::to_string(layer) + ": k " + k + ", v " + v + " (checkpoint)\n";
    tally.count("layers inspected");
    if (tally.equal(lines_with(text.out, line) == 1)) tally.witness({"inspect", "twelve layers", text.out + text.err, line});
    std::string const own = json_of_layer(json.out, layer);
    bool const same = lines_with(own, "\"k\": " + k + ",") == 1 && lines_with(own, "\"v\": " + v + ",") == 1;
    if (tally.equal(same)) tally.witness({"inspect --json, layer " + std::to_string(layer), "twelve layers", own, "k " + k + ", v " + v});
  }
}

}  // namespace

LawVerdict scale_is_loaded() {
  Law law{"scale_is_loaded", "cpu", "exact: float32 values of the checkpoint"};
  law.floors = {{"layers", 96},
                {"names", 15},
                {"names that agree", 15},
                {"16-bit scale tensors", 6},
                {"32-bit scale tensors", 3},
                {"layers with one value on both sides", 4},
                {"layers inspected", 12}};
  law.separates = {"scales/name_unknown",     "scales/f16_as_bf16",     "scales/layer_0_for_all",
                   "scales/floor_at_1",       "scales/v_from_k",        "scales/cache_stops_at_layer_8",
                   "scales/equal_pair_moves", "scales/layer_modulo_10", "scales/subnormal_refused",
                   "scales/v_inspected_as_k"};
  return run_law(law, [](Draw&, Tally& tally) {
    check_all_names(tally);
    check_dtypes(tally);
    auto const many = many_layers();
    for (std::size_t i = 1; i < many.k_scales.size(); ++i) {
      if (many.k_scales[i] == many.v_scales[i]) tally.count("layers with one value on both sides");
    }
    check_scales(many, {plain(many.k_scales), plain(many.v_scales), KvScaleOrigin::checkpoint}, "twelve layers", tally);
    check_inspected(many, tally);
    auto both_from_k = scaled_options(ScaleNames::kv_scale);
    both_from_k.v_scales.clear();
    check_scales(both_from_k, {plain(both_from_k.k_scales), plain(both_from_k.k_scales), KvScaleOrigin::k_for_both}, "kv_scale", tally);
    both_from_k.scale_names = ScaleNames::attn;
    check_scales(both_from_k, {plain(both_from_k.k_scales), plain(both_from_k.k_scales), KvScaleOrigin::k_for_both}, "k_scale alone",
                 tally);
    CheckpointOptions const none;
    check_scales(none, {{1, 1, 1}, {1, 1, 1}, KvScaleOrigin::undeclared}, "no scale", tally);
  });
}

}  // namespace redproof::properties
