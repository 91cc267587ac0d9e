// The same transformers in double precision, written plainly: no pages, no batch, no order of summation. K and V are rounded to bfloat16,
// as a bfloat16 cache holds them.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/checkpoint/safetensors.h"
#include "engine/types/model.h"

namespace redproof::tests {

// Logits of the last token, [vocab].
std::vector<double> double_logits(const engine::ModelConfig& config, const engine::Checkpoint& checkpoint,
                                  const std::vector<std::int32_t>& tokens);

}  // namespace redproof::tests
