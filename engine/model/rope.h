#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engine/types/model.h"

namespace redproof::engine {

// Rotary position embedding, the "rotate half" layout of Hugging Face: lane i turns with lane i + head_dim / 2.
struct Rope {
  std::vector<double> frequencies;  // [head_dim / 2], radians a token
  double attention_factor;          // on cos and sin; 1 but for yarn
};

// Refusal: an odd head_dim, or a scaling whose numbers make no sense.
Rope make_rope(const RopeConfig& config, std::int32_t head_dim);

struct RopeAngles {
  std::vector<float> cos;  // [rows, head_dim / 2], times the attention factor
  std::vector<float> sin;
};

// Angles are computed in double, so that far positions keep their digits.
RopeAngles rope_angles(const Rope& rope, std::span<const std::int64_t> positions);

// Turns x [rows, heads, head_dim] in place.
void apply_rope(const RopeAngles& angles, std::int64_t rows, std::int32_t heads, std::int32_t head_dim, float* x);

}  // namespace redproof::engine
