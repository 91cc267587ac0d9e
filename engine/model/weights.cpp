#include "engine/model/weights.h"

#include <fmt/format.h>

#include <string>

#include "engine/bits/bf16.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

class Finder {
 public:
  Finder(const ModelConfig& config, const Checkpoint& checkpoint) : config_(config), checkpoint_(checkpoint) {}

  Matrix matrix(const std::string& name, std::int64_t rows, std::int64_t cols) const {
    const TensorView& view = find(name, {rows, cols});
    return {view.data, view.dtype, rows, cols};
  }

  std::vector<float> vector(const std::string& name, std::int64_t size) const {
    const TensorView& view = find(name, {size});
    std::vector<float> values(static_cast<std::size_t>(size));
    row_to_f32({view.data, view.dtype, 1, size}, 0, values.data());
    return values;
  }

  Linear linear(const std::string& name, std::int64_t out, std::int64_t in, bool bias) const {
    return {matrix(name + ".weight", out, in), bias ? vector(name + ".bias", out) : std::vector<float>{}};
  }

  LayerWeights layer(std::int32_t index) const {
    const std::string prefix = fmt::format("model.layers.{}.", index);
    const std::int64_t hidden = config_.hidden_size;
    LayerWeights weights;
    weights.input_norm = vector(prefix + "input_layernorm.weight", hidden);
    weights.attention_norm = vector(prefix + "post_attention_layernorm.weight", hidden);
    add_attention(prefix + "self_attn.", weights);
    weights.gate = linear(prefix + "mlp.gate_proj", config_.intermediate_size, hidden, config_.mlp_bias);
    weights.up = linear(prefix + "mlp.up_proj", config_.intermediate_size, hidden, config_.mlp_bias);
    weights.down = linear(prefix + "mlp.down_proj", hidden, config_.intermediate_size, config_.mlp_bias);
    return weights;
  }

 private:
  const TensorView& find(const std::string& name, const std::vector<std::int64_t>& shape) const {
    const TensorView& view = checkpoint_.at(name);
    if (view.shape == shape) return view;
    throw Refusal(fmt::format("{}: {}: shape {}, wanted {}", view.file, name, shape_text(view.shape), shape_text(shape)));
  }

  void add_attention(const std::string& prefix, LayerWeights& weights) const {
    const std::int64_t q = std::int64_t{config_.q_heads} * config_.head_dim;
    const std::int64_t kv = std::int64_t{config_.kv_heads} * config_.head_dim;
    weights.q = linear(prefix + "q_proj", q, config_.hidden_size, config_.qkv_bias);
    weights.k = linear(prefix + "k_proj", kv, config_.hidden_size, config_.qkv_bias);
    weights.v = linear(prefix + "v_proj", kv, config_.hidden_size, config_.qkv_bias);
    weights.o = linear(prefix + "o_proj", config_.hidden_size, q, config_.o_bias);
    if (!config_.qk_norm) return;
    weights.q_norm = vector(prefix + "q_norm.weight", config_.head_dim);
    weights.k_norm = vector(prefix + "k_norm.weight", config_.head_dim);
  }

  const ModelConfig& config_;
  const Checkpoint& checkpoint_;
};

}  // namespace

ModelWeights find_weights(const ModelConfig& config, const Checkpoint& checkpoint) {
  const Finder finder(config, checkpoint);
  ModelWeights weights;
  weights.embedding = finder.matrix("model.embed_tokens.weight", config.vocab_size, config.hidden_size);
  for (std::int32_t layer = 0; layer < config.layers; ++layer) weights.layers.push_back(finder.layer(layer));
  weights.final_norm = finder.vector("model.norm.weight", config.hidden_size);
  weights.head = config.tied_embeddings ? weights.embedding : finder.matrix("lm_head.weight", config.vocab_size, config.hidden_size);
  return weights;
}

void row_to_f32(const Matrix& matrix, std::int64_t row, float* out) {
  const std::int64_t first = row * matrix.cols;
  for (std::int64_t i = 0; i < matrix.cols; ++i) {
    switch (matrix.dtype) {
      case DType::f32:
        out[i] = static_cast<const float*>(matrix.data)[first + i];
        break;
      case DType::bf16:
        out[i] = bf16_to_f32(static_cast<const std::uint16_t*>(matrix.data)[first + i]);
        break;
      case DType::f16:
        out[i] = f16_to_f32(static_cast<const std::uint16_t*>(matrix.data)[first + i]);
        break;
    }
  }
}

std::int64_t matrix_bytes(const Matrix& matrix) { return matrix.rows * matrix.cols * (matrix.dtype == DType::f32 ? 4 : 2); }

}  // namespace redproof::engine
