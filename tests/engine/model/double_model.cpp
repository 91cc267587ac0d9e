#include "tests/engine/model/double_model.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/bits/bf16.h"
#include "engine/model/rope.h"

namespace redproof::tests {
namespace {

using engine::DType;
using Doubles = std::vector<double>;
using Rows = std::vector<Doubles>;  // [tokens][size]

struct Plain {
  const engine::ModelConfig& config;
  const engine::Checkpoint& checkpoint;

  Doubles values(const std::string& name) const {
    const engine::TensorView& view = checkpoint.at(name);
    std::size_t count = 1;
    for (const auto size : view.shape) count *= static_cast<std::size_t>(size);
    Doubles out(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (view.dtype == DType::f32) out[i] = static_cast<const float*>(view.data)[i];
      if (view.dtype == DType::bf16) out[i] = engine::bf16_to_f32(static_cast<const std::uint16_t*>(view.data)[i]);
      if (view.dtype == DType::f16) out[i] = engine::f16_to_f32(static_cast<const std::uint16_t*>(view.data)[i]);
    }
    return out;
  }

  Rows linear(const Rows& x, const std::string& name, bool bias) const {
    const Doubles weight = values(name + ".weight");
    const std::size_t out = weight.size() / x[0].size();
    const Doubles add = bias ? values(name + ".bias") : Doubles(out);
    Rows y;
    for (const Doubles& row : x) {
      y.push_back(add);
      for (std::size_t n = 0; n < out; ++n) {
        for (std::size_t k = 0; k < row.size(); ++k) y.back()[n] += row[k] * weight[n * row.size() + k];
      }
    }
    return y;
  }

  // Over pieces of the weights' size: a whole row, or each head of it.
  Rows norm(Rows x, const std::string& name) const {
    const Doubles weight = values(name);
    for (Doubles& row : x) {
      for (std::size_t first = 0; first < row.size(); first += weight.size()) {
        double squares = 0;
        for (std::size_t i = 0; i < weight.size(); ++i) squares += row[first + i] * row[first + i];
        const double root = std::sqrt(squares / static_cast<double>(weight.size()) + config.rms_norm_eps);
        for (std::size_t i = 0; i < weight.size(); ++i) row[first + i] *= weight[i] / root;
      }
    }
    return x;
  }

  // Frequencies have tests of their own.
  void rotate(Rows& x) const {
    const engine::Rope rope = engine::make_rope(config.rope, config.head_dim);
    const auto dim = static_cast<std::size_t>(config.head_dim);
    for (std::size_t t = 0; t < x.size(); ++t) {
      for (std::size_t i = 0; i < x[t].size(); ++i) {
        if (i % dim >= dim / 2) continue;
        const double angle = static_cast<double>(t) * rope.frequencies[i % dim];
        const double first = x[t][i], second = x[t][i + dim / 2];
        x[t][i] = rope.attention_factor * (first * std::cos(angle) - second * std::sin(angle));
        x[t][i + dim / 2] = rope.attention_factor * (second * std::cos(angle) + first * std::sin(angle));
      }
    }
  }

  static void round_to_bf16(Rows& x) {
    for (Doubles& row : x) {
      for (double& value : row) value = engine::bf16_to_f32(engine::f32_to_bf16(static_cast<float>(value)));
    }
  }

  // One query head at one position, added to out.
  void attend(const Doubles& q, const Rows& k, const Rows& v, std::size_t head, std::size_t position, std::size_t layer,
              Doubles& out) const {
    const auto dim = static_cast<std::size_t>(config.head_dim);
    const std::size_t kv = head / static_cast<std::size_t>(config.q_heads / config.kv_heads) * dim;
    const auto window = static_cast<std::size_t>(config.window_tokens[layer]);
    const std::size_t first = window == 0 || position + 1 < window ? 0 : position + 1 - window;
    Doubles weights;
    double sum = 0;
    for (std::size_t t = first; t <= position; ++t) {
      double score = 0;
      for (std::size_t i = 0; i < dim; ++i) score += q[head * dim + i] * k[t][kv + i];
      weights.push_back(std::exp(score / std::sqrt(static_cast<double>(dim))));
      sum += weights.back();
    }
    for (std::size_t t = first; t <= position; ++t) {
      for (std::size_t i = 0; i < dim; ++i) out[head * dim + i] += weights[t - first] / sum * v[t][kv + i];
    }
  }

  Rows attention(const Rows& x, const std::string& prefix, std::size_t layer) const {
    Rows q = linear(x, prefix + "q_proj", config.qkv_bias);
    Rows k = linear(x, prefix + "k_proj", config.qkv_bias);
    Rows v = linear(x, prefix + "v_proj", config.qkv_bias);
    if (config.qk_norm) q = norm(q, prefix + "q_norm.weight");
    if (config.qk_norm) k = norm(k, prefix + "k_norm.weight");
    rotate(q);
    rotate(k);
    round_to_bf16(k);
    round_to_bf16(v);
    Rows out(x.size(), Doubles(q[0].size()));
    for (std::size_t t = 0; t < x.size(); ++t) {
      for (std::size_t head = 0; head < static_cast<std::size_t>(config.q_heads); ++head) attend(q[t], k, v, head, t, layer, out[t]);
    }
    return linear(out, prefix + "o_proj", config.o_bias);
  }

  Rows mlp(const Rows& x, const std::string& prefix) const {
    Rows gate = linear(x, prefix + "gate_proj", config.mlp_bias);
    const Rows up = linear(x, prefix + "up_proj", config.mlp_bias);
    for (std::size_t t = 0; t < gate.size(); ++t) {
      for (std::size_t i = 0; i < gate[t].size(); ++i) gate[t][i] = gate[t][i] / (1 + std::exp(-gate[t][i])) * up[t][i];
    }
    return linear(gate, prefix + "down_proj", config.mlp_bias);
  }
};

void add(const Rows& from, Rows& to) {
  for (std::size_t t = 0; t < to.size(); ++t) {
    for (std::size_t i = 0; i < to[t].size(); ++i) to[t][i] += from[t][i];
  }
}

}  // namespace

std::vector<double> double_logits(const engine::ModelConfig& config, const engine::Checkpoint& checkpoint,
                                  const std::vector<std::int32_t>& tokens) {
  const Plain plain{config, checkpoint};
  const Doubles embedding = plain.values("model.embed_tokens.weight");
  Rows hidden;
  for (const std::int32_t token : tokens) {
    const auto first = embedding.begin() + token * config.hidden_size;
    hidden.emplace_back(first, first + config.hidden_size);
  }
  for (std::int32_t layer = 0; layer < config.layers; ++layer) {
    const std::string prefix = "model.layers." + std::to_string(layer) + ".";
    add(plain.attention(plain.norm(hidden, prefix + "input_layernorm.weight"), prefix + "self_attn.", static_cast<std::size_t>(layer)),
        hidden);
    add(plain.mlp(plain.norm(hidden, prefix + "post_attention_layernorm.weight"), prefix + "mlp."), hidden);
  }
  const Rows last = plain.norm({hidden.back()}, "model.norm.weight");
  return plain.linear(last, config.tied_embeddings ? "model.embed_tokens" : "lm_head", false)[0];
}

}  // namespace redproof::tests
