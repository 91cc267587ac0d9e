#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/checkpoint/rope_config.h"

namespace redproof::engine {
namespace {

constexpr double default_theta = 10000.0;  // of all four architectures in Hugging Face's transformers
constexpr std::int64_t most_positions = std::int64_t{1} << 40;

double positive(const JsonFields& fields, const char* name, double absent) {
  double const value = fields.number(name, absent);
  if (!(value > 0)) fields.refuse(name, fmt::format("{} is not positive", value));
  return value;
}

double required(const JsonFields& fields, const char* name) {
  if (!fields.has(name)) fields.refuse(name, "missing");
  return positive(fields, name, 0);
}

// No rotation slows down from lane to lane with a base of 1 or less, and yarn takes its logarithm.
double theta_of(const JsonFields& fields, double absent) {
  double const theta = fields.number("rope_theta", absent);
  if (!(theta > 1)) fields.refuse("rope_theta", fmt::format("{} is not above 1", theta));
  return theta;
}

void refuse_partial_rotation(const JsonFields& fields) {
  if (fields.number("partial_rotary_factor", 1.0) != 1.0) fields.refuse("partial_rotary_factor", "only 1 is routed");
}

RopeType rope_type(const JsonFields& rope) {
  const char* const field = rope.has("rope_type") ? "rope_type" : "type";  // "type" is the older name
  std::string const name = rope.text(field, "default");
  if (name == "linear") return RopeType::linear;
  if (name == "llama3") return RopeType::llama3;
  if (name == "yarn") return RopeType::yarn;
  if (name != "default") {
    rope.refuse(field, fmt::format("{} is not routed (routed: default, linear, llama3, yarn)", brief(rope.value(field))));
  }
  if (!rope.has(field) && rope.has("factor")) rope.refuse("rope_type", "missing, though there is a factor");
  return RopeType::none;
}

std::int64_t original_positions(const JsonFields& config, const JsonFields& rope, std::int64_t max_position_embeddings) {
  const char* const field = "original_max_position_embeddings";
  // Newer versions of transformers let this one outrank the nested one, older ones do not look at it.
  if (config.has(field) && config.value(field) != rope.value(field)) config.refuse(field, "disagrees with the rope parameters");
  return rope.integer(field, 1, most_positions, max_position_embeddings);
}

void read_llama3(const JsonFields& rope, RopeConfig& config) {
  config.low_freq_factor = required(rope, "low_freq_factor");
  config.high_freq_factor = required(rope, "high_freq_factor");
  // The blend divides by high - low.
  if (!(config.low_freq_factor < config.high_freq_factor)) rope.refuse("high_freq_factor", "not above low_freq_factor");
}

// 0 or null means the default, as in transformers ("or 32").
double beta(const JsonFields& rope, const char* name, double otherwise) {
  double const value = rope.number(name, otherwise);
  return value == 0 ? otherwise : positive(rope, name, otherwise);
}

double mscale(const JsonFields& rope, const char* name) {
  double const value = rope.number(name, 0.0);
  if (!(value >= 0)) rope.refuse(name, fmt::format("{} is negative", value));
  return value;
}

void read_yarn(const JsonFields& rope, RopeConfig& config) {
  if (rope.has("attention_factor")) config.attention_factor = positive(rope, "attention_factor", 0);
  config.mscale = mscale(rope, "mscale");
  config.mscale_all_dim = mscale(rope, "mscale_all_dim");
  config.beta_fast = beta(rope, "beta_fast", 32.0);
  config.beta_slow = beta(rope, "beta_slow", 1.0);
  if (!(config.beta_fast > config.beta_slow)) rope.refuse("beta_fast", "not above beta_slow");
  if (rope.number("attn_factor", 1.0) != 1.0) rope.refuse("attn_factor", "only 1 is routed");
  config.truncate = rope.boolean("truncate", true);
}

void refuse_layer_kinds(const JsonFields& rope) {
  for (const char* const kind : {"full_attention", "sliding_attention"}) {
    if (rope.has(kind)) rope.refuse(kind, "rope parameters for one kind of layers are not routed");
  }
}

const char* rope_field(const JsonFields& config) {
  bool const scaling = config.has("rope_scaling");
  bool const parameters = config.has("rope_parameters");
  if (scaling && parameters) config.refuse("rope_scaling", "given beside rope_parameters");
  if (scaling) return "rope_scaling";
  return parameters ? "rope_parameters" : nullptr;
}

}  // namespace

RopeConfig read_rope(const JsonFields& config, std::int64_t max_position_embeddings) {
  RopeConfig rope;
  refuse_partial_rotation(config);
  rope.theta = theta_of(config, default_theta);
  const char* const field = rope_field(config);
  if (field == nullptr) return rope;
  JsonFields const fields = config.object(field);
  refuse_layer_kinds(fields);
  refuse_partial_rotation(fields);
  rope.theta = theta_of(fields, rope.theta);
  rope.type = rope_type(fields);
  if (rope.type == RopeType::none) return rope;
  rope.factor = required(fields, "factor");
  if (rope.type != RopeType::linear) rope.original_max_position_embeddings = original_positions(config, fields, max_position_embeddings);
  if (rope.type == RopeType::llama3) read_llama3(fields, rope);
  if (rope.type == RopeType::yarn) read_yarn(fields, rope);
  return rope;
}

}  // namespace redproof::engine
