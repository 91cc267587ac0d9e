#include "engine/model/model.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "engine/attention/attention.h"
#include "engine/kv/store.h"
#include "engine/matmul/matmul.h"
#include "engine/matmul/threads.h"
#include "engine/model/batch.h"
#include "engine/model/norm.h"
#include "engine/model/rope.h"
#include "engine/model/weights.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

using Floats = std::vector<float>;

Floats rows_of(std::int64_t rows, std::int64_t cols) { return Floats(static_cast<std::size_t>(rows * cols)); }

void add(const Floats& from, Floats& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

// gate = silu(gate) * up
void swiglu(Floats& gate, const Floats& up, int threads) {
  constexpr std::size_t worth_threads = 16384;
  const auto body = [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      gate[i] = gate[i] / (1.0F + std::exp(-gate[i])) * up[i];
    }
  };
  parallel_for(static_cast<std::int64_t>(gate.size()), gate.size() < worth_threads ? 1 : threads, body);
}

}  // namespace

struct Model::Impl {
  ModelConfig config;
  Checkpoint checkpoint;  // keeps the weights mapped
  CpuOptions cpu;
  ModelWeights weights;
  Rope rope;

  Impl(ModelConfig c, Checkpoint from, CpuOptions how)
      : config(std::move(c)),
        checkpoint(std::move(from)),
        cpu(how),
        weights(find_weights(config, checkpoint)),
        rope(make_rope(config.rope, config.head_dim)) {}

  float eps() const { return static_cast<float>(config.rms_norm_eps); }

  Floats project(const Linear& linear, const Floats& x, std::int64_t rows) const {
    Floats y = rows_of(rows, linear.weight.rows);
    matmul(x.data(), rows, linear.weight, linear.bias.empty() ? nullptr : linear.bias.data(), y.data(), cpu);
    return y;
  }

  Floats norm(const Floats& x, const Floats& weight, std::int64_t rows) const {
    Floats out(x.size());
    rms_norm(x.data(), weight, eps(), rows, out.data());
    return out;
  }

  // One side's projection, with its per-head norm and its positions: [rows, heads, head_dim].
  Floats rotated(const Linear& linear, const Floats& head_norm, std::int32_t heads, const Floats& x, const RopeAngles& angles) const {
    const std::int64_t rows = static_cast<std::int64_t>(x.size()) / config.hidden_size;
    Floats y = project(linear, x, rows);
    if (config.qk_norm) rms_norm(y.data(), head_norm, eps(), rows * heads, y.data());
    apply_rope(angles, rows, heads, config.head_dim, y.data());
    return y;
  }

  Floats attention(const LayerWeights& layer, std::int32_t index, const Floats& x, const Batch& batch, const RopeAngles& angles,
                   KvCache& cache, const Observers& observers) const {
    const Floats q = rotated(layer.q, layer.q_norm, config.q_heads, x, angles);
    const Floats k = rotated(layer.k, layer.k_norm, config.kv_heads, x, angles);
    const Floats v = project(layer.v, x, batch.rows());

    KvLayer& pages = cache.layer(static_cast<std::size_t>(index));
    store_kv({k.data(), DType::f32}, {v.data(), DType::f32}, batch.slots, pages, cpu);
    if (observers.after_store) observers.after_store(index, pages);

    Floats out(q.size());
    const float softmax_scale = 1.0F / std::sqrt(static_cast<float>(config.head_dim));
    attend({q.data(), out.data(), nullptr, config.q_heads, softmax_scale, batch.sequences}, pages, cpu);
    if (observers.after_attention) observers.after_attention(index, q, out);
    return project(layer.o, out, batch.rows());
  }

  Floats mlp(const LayerWeights& layer, const Floats& x, std::int64_t rows) const {
    Floats gate = project(layer.gate, x, rows);
    swiglu(gate, project(layer.up, x, rows), cpu.threads);
    return project(layer.down, gate, rows);
  }

  Floats embed(const Batch& batch) const {
    Floats hidden = rows_of(batch.rows(), config.hidden_size);
    for (std::int64_t r = 0; r < batch.rows(); ++r) {
      row_to_f32(weights.embedding, batch.tokens[static_cast<std::size_t>(r)], hidden.data() + r * config.hidden_size);
    }
    return hidden;
  }

  // The last row of each chunk, [chunks, hidden].
  Floats last_rows(const Floats& hidden, const Batch& batch) const {
    Floats last;
    for (const AttentionSequence& sequence : batch.sequences) {
      const float* row = hidden.data() + (sequence.first_row + sequence.rows - 1) * config.hidden_size;
      last.insert(last.end(), row, row + config.hidden_size);
    }
    return last;
  }
};

Model::Model(ModelConfig config, Checkpoint checkpoint, CpuOptions cpu)
    : impl_(std::make_unique<Impl>(std::move(config), std::move(checkpoint), cpu)) {}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;

std::vector<float> Model::forward(std::span<const SequenceChunk> chunks, KvCache& cache, const Observers& observers) {
  const Impl& m = *impl_;
  if (chunks.empty()) return {};
  if (cache.layers() != m.weights.layers.size()) {
    throw Refusal(fmt::format("kv cache: {} layers, the model has {}", cache.layers(), m.weights.layers.size()));
  }
  const Batch batch = make_batch(chunks, m.config.vocab_size, cache.layer(0).spec.block_tokens);
  const RopeAngles angles = rope_angles(m.rope, batch.positions);
  Floats hidden = m.embed(batch);
  for (std::int32_t index = 0; index < m.config.layers; ++index) {
    const LayerWeights& layer = m.weights.layers[static_cast<std::size_t>(index)];
    add(m.attention(layer, index, m.norm(hidden, layer.input_norm, batch.rows()), batch, angles, cache, observers), hidden);
    add(m.mlp(layer, m.norm(hidden, layer.attention_norm, batch.rows()), batch.rows()), hidden);
  }
  const auto count = static_cast<std::int64_t>(chunks.size());
  return m.project({m.weights.head, {}}, m.norm(m.last_rows(hidden, batch), m.weights.final_norm, count), count);
}

const ModelConfig& Model::config() const { return impl_->config; }
const CpuOptions& Model::cpu() const { return impl_->cpu; }

std::int64_t Model::weight_bytes_per_token() const {
  const ModelWeights& weights = impl_->weights;
  std::int64_t bytes = matrix_bytes(weights.head);
  for (const LayerWeights& layer : weights.layers) {
    for (const Linear* linear : {&layer.q, &layer.k, &layer.v, &layer.o, &layer.gate, &layer.up, &layer.down}) {
      bytes += matrix_bytes(linear->weight);
    }
  }
  return bytes;
}

}  // namespace redproof::engine
