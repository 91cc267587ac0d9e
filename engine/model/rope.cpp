#include "engine/model/rope.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "engine/types/error.h"

namespace redproof::engine {
namespace {

using std::numbers::pi;

void require(bool holds, const char* field, double value) {
  if (!holds) throw Refusal(fmt::format("config.json: rope: {} of {} is refused", field, value));
}

std::vector<double> plain_frequencies(double theta, std::int32_t head_dim) {
  std::vector<double> frequencies(static_cast<std::size_t>(head_dim / 2));
  for (std::size_t i = 0; i < frequencies.size(); ++i) frequencies[i] = std::pow(theta, -2.0 * static_cast<double>(i) / head_dim);
  return frequencies;
}

// Llama 3: long wavelengths are stretched by the factor, short ones stay, those between are blended.
void scale_llama3(const RopeConfig& c, std::vector<double>& frequencies) {
  require(c.high_freq_factor > c.low_freq_factor, "high_freq_factor", c.high_freq_factor);
  const auto original = static_cast<double>(c.original_max_position_embeddings);
  for (double& frequency : frequencies) {
    const double turns = original * frequency / (2 * pi);  // turns within the original context
    if (turns > c.high_freq_factor) continue;
    const double keep = std::max(0.0, (turns - c.low_freq_factor) / (c.high_freq_factor - c.low_freq_factor));
    frequency = (1 - keep) * frequency / c.factor + keep * frequency;
  }
}

// YaRN (arXiv 2309.00071, section 3.2): the blend runs over pairs of lanes, from the one that makes beta_fast turns to the one of
// beta_slow.
void scale_yarn(const RopeConfig& c, std::int32_t head_dim, std::vector<double>& frequencies) {
  const auto original = static_cast<double>(c.original_max_position_embeddings);
  const auto pair_of = [&](double turns) { return head_dim * std::log(original / (turns * 2 * pi)) / (2 * std::log(c.theta)); };
  require(c.beta_fast > 0 && c.beta_slow > 0, "beta_slow", c.beta_slow);
  double low = pair_of(c.beta_fast);
  double high = pair_of(c.beta_slow);
  if (c.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, head_dim - 1.0);
  if (low == high) high += 0.001;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double keep = 1 - std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    frequencies[i] = frequencies[i] / c.factor * (1 - keep) + frequencies[i] * keep;
  }
}

double yarn_attention_factor(const RopeConfig& c) {
  if (c.attention_factor > 0) return c.attention_factor;
  const auto growth = [&](double mscale) { return c.factor <= 1 ? 1.0 : 0.1 * mscale * std::log(c.factor) + 1.0; };
  if (c.mscale != 0 && c.mscale_all_dim != 0) return growth(c.mscale) / growth(c.mscale_all_dim);
  return growth(1.0);
}

}  // namespace

Rope make_rope(const RopeConfig& config, std::int32_t head_dim) {
  if (head_dim % 2 != 0) throw Refusal(fmt::format("config.json: head_dim: {} is odd, rotary embedding turns pairs of lanes", head_dim));
  require(std::isfinite(config.theta) && config.theta > 1, "rope_theta", config.theta);
  require(std::isfinite(config.factor) && config.factor > 0, "factor", config.factor);
  Rope rope{plain_frequencies(config.theta, head_dim), 1.0};
  if (config.type == RopeType::llama3 || config.type == RopeType::yarn) {
    const auto original = config.original_max_position_embeddings;
    require(original > 0, "original_max_position_embeddings", static_cast<double>(original));
  }
  switch (config.type) {
    case RopeType::none:
      break;
    case RopeType::linear:
      for (double& frequency : rope.frequencies) frequency /= config.factor;
      break;
    case RopeType::llama3:
      scale_llama3(config, rope.frequencies);
      break;
    case RopeType::yarn:
      scale_yarn(config, head_dim, rope.frequencies);
      rope.attention_factor = yarn_attention_factor(config);
      break;
  }
  return rope;
}

RopeAngles rope_angles(const Rope& rope, std::span<const std::int64_t> positions) {
  RopeAngles angles;
  angles.cos.reserve(positions.size() * rope.frequencies.size());
  angles.sin.reserve(positions.size() * rope.frequencies.size());
  for (const std::int64_t position : positions) {
    for (const double frequency : rope.frequencies) {
      const double angle = static_cast<double>(position) * frequency;
      angles.cos.push_back(static_cast<float>(std::cos(angle) * rope.attention_factor));
      angles.sin.push_back(static_cast<float>(std::sin(angle) * rope.attention_factor));
    }
  }
  return angles;
}

void apply_rope(const RopeAngles& angles, std::int64_t rows, std::int32_t heads, std::int32_t head_dim, float* x) {
  const std::int64_t half = head_dim / 2;
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* cos = angles.cos.data() + r * half;
    const float* sin = angles.sin.data() + r * half;
    for (std::int32_t h = 0; h < heads; ++h, x += head_dim) {
      for (std::int64_t i = 0; i < half; ++i) {
        const float first = x[i];
        const float second = x[i + half];
        x[i] = first * cos[i] - second * sin[i];
        x[i + half] = second * cos[i] + first * sin[i];
      }
    }
  }
}

}  // namespace redproof::engine
