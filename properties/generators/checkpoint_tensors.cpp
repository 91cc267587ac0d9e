#include "properties/generators/checkpoint_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "properties/generators/interrupt.h"

namespace redproof::properties {
namespace {

using engine::DType;

constexpr std::size_t piece = 1U << 16;  // elements between two looks at a signal

// splitmix64, seeded by the checkpoint's seed and the tensor's name: no tensor depends on which others exist.
class Draw {
 public:
  Draw(std::uint64_t seed, const std::string& name) : state_(seed * 0x9e3779b97f4a7c15U) {
    for (const char c : name) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  std::uint64_t state_;
};

// Every weight is n * 2^e with |n| below 256: exact in bf16, f16 and f32, and still exact after a gain.
struct Values {
  const CheckpointOptions& options;
  std::vector<StoredTensor> tensors;

  void add(const std::string& name, std::vector<std::int64_t> shape, const std::vector<float>& values) {
    stop_if_interrupted();
    tensors.push_back({name, options.dtype, std::move(shape), stored_bytes(name, values, options.dtype)});
  }

  // Symmetric and uniform, with about this standard deviation, times 2^gain.
  void random(const std::string& name, std::vector<std::int64_t> shape, double deviation, int gain = 0) {
    Draw draw(options.seed, name);
    const int exponent = static_cast<int>(std::lround(std::log2(deviation / (255.0 / std::sqrt(3.0))))) + gain;
    std::vector<float> values(count(shape));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % piece == 0) stop_if_interrupted();
      values[i] = std::ldexp(static_cast<float>(draw.between(-255, 255)), exponent);
    }
    add(name, std::move(shape), values);
  }

  // A norm's weights: 0.75 to 1.25 times 2^exponent; of random sign where asked for.
  void norm(const std::string& name, std::int64_t size, int exponent = 0, bool signs = false) {
    Draw draw(options.seed, name);
    std::vector<float> values(count({size}));
    for (float& value : values) {
      value = std::ldexp(static_cast<float>(draw.between(96, 160)), exponent - 7);
      if (signs && draw.between(0, 1) == 1) value = -value;
    }
    add(name, {size}, values);
  }

  void zeros(const std::string& name, std::vector<std::int64_t> shape) {
    const std::vector<float> values(count(shape));
    add(name, std::move(shape), values);
  }

  static std::size_t count(const std::vector<std::int64_t>& shape) {
    std::int64_t product = 1;
    for (const std::int64_t size : shape) product *= size;
    return static_cast<std::size_t>(product);
  }
};

std::optional<std::uint16_t> exact_f16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
  const float magnitude = std::fabs(value);
  int exponent = 0;
  std::frexp(magnitude, &exponent);                   // magnitude = [0.5, 1) * 2^exponent
  const int scale = 11 - std::max(exponent, -13);     // the place of f16's last digit: 2^-24 below its normals
  const float digits = std::ldexp(magnitude, scale);  // at most 11 bits where exact
  if (digits != std::floor(digits) || !(magnitude <= 65504.0F)) return std::nullopt;
  const auto whole = static_cast<std::uint16_t>(digits);
  if (whole < 1024) return static_cast<std::uint16_t>(sign | whole);  // zero and subnormals
  return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | (whole - 1024));
}

std::optional<std::uint16_t> exact_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0xffffU) != 0) return std::nullopt;
  return static_cast<std::uint16_t>(bits >> 16U);
}

double per_input(double deviation, std::int64_t inputs) { return deviation / std::sqrt(static_cast<double>(inputs)); }

void add_attention(Values& values, const std::string& attention, std::int32_t layer) {
  const CheckpointOptions& o = values.options;
  const auto index = static_cast<std::size_t>(layer);
  const LayerGain gain = index < o.gains.size() ? o.gains[index] : LayerGain{};
  const std::int64_t q = std::int64_t{o.q_heads} * o.head_dim;
  const std::int64_t kv = std::int64_t{o.kv_heads} * o.head_dim;
  const bool normed = o.family == Family::qwen3;
  const int qk_gain = normed ? 0 : gain.k;  // a gain before a norm would have no effect

  const double q_deviation = 2.0 / o.k_magnitude;  // scores then have a deviation of about 2
  values.random(attention + "q_proj.weight", {q, o.hidden}, per_input(q_deviation, o.hidden), -qk_gain);
  values.random(attention + "k_proj.weight", {kv, o.hidden}, per_input(o.k_magnitude, o.hidden), qk_gain);
  values.random(attention + "v_proj.weight", {kv, o.hidden}, per_input(o.v_magnitude, o.hidden), gain.v);
  if (o.family == Family::qwen2 || o.attention_bias) {
    values.random(attention + "q_proj.bias", {q}, q_deviation / 2, -qk_gain);
    values.random(attention + "k_proj.bias", {kv}, o.k_magnitude / 2, qk_gain);
    values.random(attention + "v_proj.bias", {kv}, o.v_magnitude / 2, gain.v);
  }
  if (normed) {
    values.norm(attention + "q_norm.weight", o.head_dim, static_cast<int>(std::lround(std::log2(q_deviation))) - gain.k);
    values.norm(attention + "k_norm.weight", o.head_dim, static_cast<int>(std::lround(std::log2(o.k_magnitude))) + gain.k);
  }
  if (o.zero_o_proj && o.keep_o_proj_of_layer != layer) {
    values.zeros(attention + "o_proj.weight", {o.hidden, q});
    if (o.attention_bias) values.zeros(attention + "o_proj.bias", {o.hidden});
    return;
  }
  values.random(attention + "o_proj.weight", {o.hidden, q}, per_input(2.0 / o.v_magnitude, q), -gain.v);
  if (o.attention_bias) values.random(attention + "o_proj.bias", {o.hidden}, 0.25);
}

void add_mlp(Values& values, const std::string& mlp) {
  const CheckpointOptions& o = values.options;
  const struct {
    const char* name;
    std::int64_t out, in;
    double deviation;
  } projections[] = {{"gate_proj", o.intermediate, o.hidden, 1.0},
                     {"up_proj", o.intermediate, o.hidden, 1.0},
                     {"down_proj", o.hidden, o.intermediate, 2.0}};
  for (const auto& p : projections) {
    values.random(mlp + p.name + ".weight", {p.out, p.in}, per_input(p.deviation, p.in));
    if (o.mlp_bias) values.random(mlp + p.name + ".bias", {p.out}, 0.25);
  }
}

struct ScaleSuffixes {
  const char* k;
  const char* v;  // null: not written
};

ScaleSuffixes scale_suffixes(ScaleNames names) {
  switch (names) {
    case ScaleNames::attn:
      return {"attn.k_scale", "attn.v_scale"};
    case ScaleNames::plain:
      return {"k_scale", "v_scale"};
    case ScaleNames::proj:
      return {"k_proj.k_scale", "v_proj.v_scale"};
    case ScaleNames::qkv_proj:
      return {"qkv_proj.k_scale", "qkv_proj.v_scale"};
    case ScaleNames::cache:
      return {"k_cache.scale", "v_cache.scale"};
    case ScaleNames::kv_scale:
      return {"kv_scale", nullptr};
  }
  throw std::invalid_argument("unknown style of scale names");
}

void add_scale(Values& values, const std::vector<std::optional<float>>& scales, std::size_t layer, const std::string& attention,
               const char* suffix) {
  if (suffix == nullptr || layer >= scales.size() || !scales[layer]) return;
  const std::string name = attention + suffix;
  const DType dtype = values.options.scale_dtype;
  values.tensors.push_back({name, dtype, values.options.scale_shape, stored_bytes(name, {*scales[layer]}, dtype)});
}

void add_layer(Values& values, std::int32_t layer) {
  const CheckpointOptions& o = values.options;
  const std::string prefix = "model.layers." + std::to_string(layer) + ".";
  values.norm(prefix + "input_layernorm.weight", o.hidden);
  add_attention(values, prefix + "self_attn.", layer);
  const ScaleSuffixes suffixes = scale_suffixes(o.scale_names);
  add_scale(values, o.k_scales, static_cast<std::size_t>(layer), prefix + "self_attn.", suffixes.k);
  add_scale(values, o.v_scales, static_cast<std::size_t>(layer), prefix + "self_attn.", suffixes.v);
  values.norm(prefix + "post_attention_layernorm.weight", o.hidden);
  add_mlp(values, prefix + "mlp.");
}

std::size_t row_bytes(const StoredTensor& matrix) { return matrix.bytes.size() / static_cast<std::size_t>(matrix.shape[0]); }

void set_twin_rows(StoredTensor& matrix) {
  const std::size_t row = row_bytes(matrix);
  for (std::size_t at = 0; at + 2 * row <= matrix.bytes.size(); at += 2 * row) {
    std::memcpy(matrix.bytes.data() + at + row, matrix.bytes.data() + at, row);
  }
}

// All bits set are a NaN in every dtype.
void set_nan_row(StoredTensor& matrix, std::int32_t index) {
  const std::size_t row = row_bytes(matrix);
  std::memset(matrix.bytes.data() + static_cast<std::size_t>(index) * row, 0xFF, row);
}

template <class T>
void append(std::vector<std::byte>& bytes, T value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace

std::vector<std::byte> stored_bytes(const std::string& name, const std::vector<float>& values, DType dtype) {
  std::vector<std::byte> bytes;
  bytes.reserve(values.size() * (dtype == DType::f32 ? 4 : 2));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float value = values[i];
    if (i % piece == 0) stop_if_interrupted();
    if (dtype == DType::f32) {
      append(bytes, value);
      continue;
    }
    const auto half = dtype == DType::bf16 ? exact_bf16(value) : exact_f16(value);
    if (!half) throw std::invalid_argument(fmt::format("{}: {} has no exact form in the weights' dtype", name, value));
    append(bytes, *half);
  }
  return bytes;
}

std::vector<StoredTensor> checkpoint_tensors(const CheckpointOptions& options) {
  Values values{options, {}};
  values.random("model.embed_tokens.weight", {options.vocab, options.hidden}, 1.0);
  if (options.nan_token) set_nan_row(values.tensors.back(), *options.nan_token);
  for (std::int32_t layer = 0; layer < options.layers; ++layer) add_layer(values, layer);
  // Signs keep a tied head from answering every token with itself.
  values.norm("model.norm.weight", options.hidden, 0, true);
  if (!options.tied) values.random("lm_head.weight", {options.vocab, options.hidden}, per_input(2.0, options.hidden));
  if (options.twin_head_rows) set_twin_rows(values.tensors.back());
  if (options.nan_logit) set_nan_row(values.tensors.back(), *options.nan_logit);
  for (const ExtraTensor& extra : options.extra_tensors) {
    values.tensors.push_back(
        {extra.name, extra.dtype, extra.shape, stored_bytes(extra.name, extra.values, extra.dtype), extra.header_dtype});
  }
  return std::move(values.tensors);
}

}  // namespace redproof::properties
