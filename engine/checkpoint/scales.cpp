#include "engine/checkpoint/scales.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <optional>

#include "engine/bits/bf16.h"
#include "engine/checkpoint/printable.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

// The names of one scale below model.layers.N.self_attn, as vLLM's maybe_remap_kv_scale_name maps them at 5559679229bc. Of `k_proj.v_scale`
// the second letter decides. `kv_scale`, deprecated, is K's.
constexpr std::array<const char*, 8> k_names{"attn.k_scale",       "k_scale",       "k_proj.k_scale", "v_proj.k_scale", "qkv_proj.k_scale",
                                             "qkqkv_proj.k_scale", "k_cache.scale", "kv_scale"};
constexpr std::array<const char*, 7> v_names{"attn.v_scale",       "v_scale",      "k_proj.v_scale", "v_proj.v_scale", "qkv_proj.v_scale",
                                             "qkqkv_proj.v_scale", "v_cache.scale"};

// One scale, and the tensor that it came from.
struct Found {
  float value;
  std::string name;
  std::string file;
};

[[noreturn]] void refuse(const std::string& file, const std::string& tensor, const std::string& why) {
  throw Refusal(fmt::format("{}: tensor {}: {}", printable(file), printable(tensor), why));
}

bool has_one_element(const TensorView& tensor) {
  for (std::int64_t const extent : tensor.shape) {
    if (extent != 1) return false;
  }
  return true;
}

float first_element(const TensorView& tensor) {
  if (tensor.dtype == DType::f32) {
    float value = 0;
    std::memcpy(&value, tensor.data, sizeof value);
    return value;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, tensor.data, sizeof bits);
  return tensor.dtype == DType::bf16 ? bf16_to_f32(bits) : f16_to_f32(bits);
}

float checked_scale(const TensorView& tensor, const std::string& name) {
  if (!has_one_element(tensor)) refuse(tensor.file, name, "more or less than one element: per-head scales are not routed");
  float const value = first_element(tensor);
  if (!std::isfinite(value)) refuse(tensor.file, name, fmt::format("scale {} is not finite", value));
  if (!(value > 0)) refuse(tensor.file, name, fmt::format("scale {} is not positive", value));
  return value;
}

// Looks under every name: a second one must say the same.
template <std::size_t Count>
std::optional<Found> find_scale(const Checkpoint& checkpoint, const std::string& prefix, const std::array<const char*, Count>& names) {
  std::optional<Found> found;
  for (const char* const suffix : names) {
    std::string const name = prefix + suffix;
    const TensorView* const tensor = checkpoint.find(name);
    if (tensor == nullptr) continue;
    float const value = checked_scale(*tensor, name);
    if (found && found->value != value) {
      refuse(tensor->file, name, fmt::format("scale {}, but {} says {}", value, printable(found->name), found->value));
    }
    if (!found) found = Found{value, name, tensor->file};
  }
  return found;
}

LayerScales layer_scales(const Checkpoint& checkpoint, std::int32_t layer) {
  std::string const prefix = fmt::format("model.layers.{}.self_attn.", layer);
  std::optional<Found> const k = find_scale(checkpoint, prefix, k_names);
  std::optional<Found> const v = find_scale(checkpoint, prefix, v_names);
  if (k && v) return {{k->value, v->value}, KvScaleOrigin::checkpoint};
  if (k) return {{k->value, k->value}, KvScaleOrigin::k_for_both};
  if (v) refuse(v->file, v->name, "a scale for V, but none for K");
  return {{1.0F, 1.0F}, KvScaleOrigin::undeclared};
}

// By coverage, never by value: a checkpoint may well say 1.
std::string coverage_warning(std::int32_t covered, std::int32_t layers) {
  if (covered == layers) return "";
  return fmt::format("fp8 KV cache: the checkpoint has k_scale and v_scale for {} of {} layers; the others use 1.0", covered, layers);
}

}  // namespace

CheckpointScales load_kv_scales(const Checkpoint& checkpoint, std::int32_t layers, KvStorage storage) {
  CheckpointScales loaded;
  if (storage != KvStorage::fp8_e4m3) {
    loaded.layers.assign(static_cast<std::size_t>(layers), {{1.0F, 1.0F}, KvScaleOrigin::unused});
    return loaded;
  }
  std::int32_t covered = 0;
  for (std::int32_t layer = 0; layer < layers; ++layer) {
    loaded.layers.push_back(layer_scales(checkpoint, layer));
    covered += loaded.layers.back().origin == KvScaleOrigin::undeclared ? 0 : 1;
  }
  loaded.warning = coverage_warning(covered, layers);
  return loaded;
}

}  // namespace redproof::engine
