#pragma once
#include <cstdint>
#include <vector>

#include "engine/checkpoint/safetensors.h"
#include "engine/types/model.h"
#include "engine/types/tensor.h"

namespace redproof::engine {

struct Linear {
  Matrix weight;            // [out, in], memory-mapped
  std::vector<float> bias;  // [out] or empty
};

struct LayerWeights {
  std::vector<float> input_norm;      // [hidden]
  std::vector<float> attention_norm;  // [hidden], after attention
  std::vector<float> q_norm;          // [head_dim] or empty
  std::vector<float> k_norm;
  Linear q, k, v, o;
  Linear gate, up, down;
};

struct ModelWeights {
  Matrix embedding;  // [vocab, hidden]
  std::vector<LayerWeights> layers;
  std::vector<float> final_norm;
  Matrix head;  // [vocab, hidden]; the embedding where it is tied
};

// Finds every tensor under its Hugging Face name. Refusal: absent, or of another shape; names file, tensor, wanted and found shape.
ModelWeights find_weights(const ModelConfig& config, const Checkpoint& checkpoint);

void row_to_f32(const Matrix& matrix, std::int64_t row, float* out);
std::int64_t matrix_bytes(const Matrix& matrix);

}  // namespace redproof::engine
