#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/checkpoint/config.h"
#include "engine/checkpoint/file_exists.h"
#include "engine/checkpoint/json_document.h"
#include "engine/checkpoint/rope_config.h"
#include "engine/types/error.h"

namespace redproof::engine {
namespace {

using nlohmann::json;

// Bounds that keep every product of two sizes and an element size inside 63 bits, and every per-layer table small.
constexpr std::int64_t largest_size = std::int64_t{1} << 26;
constexpr std::int64_t most_layers = 4096;
constexpr std::int64_t most_heads = 65536;
constexpr std::int64_t most_positions = std::int64_t{1} << 40;
constexpr std::int64_t none = -1;

// What an architecture fixes, and the values of its absent fields: the defaults of its configuration class in transformers.
struct Architecture {
  const char* name;
  std::int64_t vocab_size;
  std::int64_t intermediate_size;
  std::int64_t kv_heads;  // none: as many as query heads
  std::int64_t head_dim;  // none: hidden_size / query heads
  std::int64_t max_position_embeddings;
  std::int64_t eos_token_id;
  bool qkv_bias;                // always there; attention_bias is not a field of it
  bool attention_bias_is_read;  // bias of q, k, v and o
  bool mlp_bias_is_read;
  bool qk_norm;
};

constexpr std::array<Architecture, 4> architectures{{
    {"LlamaForCausalLM", 32000, 11008, none, none, 2048, 2, false, true, true, false},
    {"Qwen2ForCausalLM", 151936, 22016, 32, none, 32768, none, true, false, false, false},
    {"Qwen3ForCausalLM", 151936, 22016, 32, 128, 32768, none, false, true, false, true},
    {"MistralForCausalLM", 32000, 14336, 8, none, 131072, 2, false, false, false, false},
}};
constexpr std::int64_t default_hidden_size = 4096;
constexpr std::int64_t default_layers = 32;
constexpr std::int64_t default_q_heads = 32;
constexpr std::int64_t default_window_tokens = 4096;
constexpr std::int64_t default_max_window_layers = 28;

const Architecture& read_architecture(const JsonFields& config) {
  const json& list = config.value("architectures");
  if (!list.is_array() || list.empty() || !list[0].is_string()) config.refuse("architectures", "missing, or not a list of names");
  for (const Architecture& known : architectures) {
    if (list[0] == known.name) return known;
  }
  config.refuse("architectures", fmt::format("{} is not routed (routed: LlamaForCausalLM, Qwen2ForCausalLM, Qwen3ForCausalLM, "
                                             "MistralForCausalLM)",
                                             brief(list[0])));
}

void read_heads(const JsonFields& config, const Architecture& known, ModelConfig& model) {
  std::int64_t const q_heads = config.integer("num_attention_heads", 1, most_heads, default_q_heads);
  // An explicit null means one KV head a query head in every class; only an absent field takes the class's number.
  bool const unsaid = !config.mentions("num_key_value_heads") && known.kv_heads != none;
  std::int64_t const kv_heads = config.integer("num_key_value_heads", 1, most_heads, unsaid ? known.kv_heads : q_heads);
  if (q_heads % kv_heads != 0) {
    config.refuse("num_key_value_heads", fmt::format("{} does not divide num_attention_heads {}", kv_heads, q_heads));
  }
  bool const derived = !config.has("head_dim") && known.head_dim == none;
  if (derived && model.hidden_size % q_heads != 0) {
    config.refuse("hidden_size", fmt::format("{} is not a multiple of num_attention_heads {}", model.hidden_size, q_heads));
  }
  std::int64_t const head_dim = config.integer("head_dim", 1, most_heads, derived ? model.hidden_size / q_heads : known.head_dim);
  if (head_dim % 2 != 0) config.refuse("head_dim", fmt::format("{} is odd: rotation needs pairs", head_dim));
  if (q_heads * head_dim > largest_size) config.refuse("num_attention_heads", fmt::format("times head_dim is over {}", largest_size));
  model.q_heads = static_cast<std::int32_t>(q_heads);
  model.kv_heads = static_cast<std::int32_t>(kv_heads);
  model.head_dim = static_cast<std::int32_t>(head_dim);
}

void read_sizes(const JsonFields& config, const Architecture& known, ModelConfig& model) {
  model.hidden_size = config.integer("hidden_size", 1, largest_size, default_hidden_size);
  model.intermediate_size = config.integer("intermediate_size", 1, largest_size, known.intermediate_size);
  model.vocab_size = config.integer("vocab_size", 1, largest_size, known.vocab_size);
  model.max_position_embeddings = config.integer("max_position_embeddings", 1, most_positions, known.max_position_embeddings);
  model.layers = static_cast<std::int32_t>(config.integer("num_hidden_layers", 1, most_layers, default_layers));
  model.rms_norm_eps = config.number("rms_norm_eps", 1e-6);
  if (!(model.rms_norm_eps > 0 && model.rms_norm_eps < 1)) {
    config.refuse("rms_norm_eps", fmt::format("{} is not between 0 and 1", model.rms_norm_eps));
  }
}

// A bias that one upstream would load and another would ignore is refused, not guessed.
bool read_bias(const JsonFields& config, const Architecture& known, const char* field, bool is_read) {
  bool const given = config.boolean(field, false);
  if (given && !is_read) config.refuse(field, fmt::format("true, but {} has no such bias", known.name));
  return given;
}

void read_biases(const JsonFields& config, const Architecture& known, ModelConfig& model) {
  bool const attention = known.qkv_bias ? false : read_bias(config, known, "attention_bias", known.attention_bias_is_read);
  model.qkv_bias = known.qkv_bias || attention;
  model.o_bias = attention;
  model.mlp_bias = read_bias(config, known, "mlp_bias", known.mlp_bias_is_read);
  model.qk_norm = known.qk_norm;
}

void check_activation(const JsonFields& config) {
  if (config.text("hidden_act", "silu") != "silu") {
    config.refuse("hidden_act", brief(config.value("hidden_act")) + " is not routed (routed: silu)");
  }
}

void check_dtype(const JsonFields& config) {
  for (const char* const field : {"dtype", "torch_dtype"}) {
    std::string const name = config.text(field, "bfloat16");
    if (name != "bfloat16" && name != "float16" && name != "float32") {
      config.refuse(field, brief(config.value(field)) + " is not routed (routed: bfloat16, float16, float32)");
    }
  }
  if (config.has("dtype") && config.has("torch_dtype") && config.value("dtype") != config.value("torch_dtype")) {
    config.refuse("torch_dtype",
                  fmt::format("{} disagrees with dtype {}", brief(config.value("torch_dtype")), brief(config.value("dtype"))));
  }
}

// The window of a sliding layer in tokens, or 0 where the model has none.
std::int64_t read_window(const JsonFields& config, const Architecture& known) {
  std::string const name = known.name;
  bool const is_mistral = name == "MistralForCausalLM";
  bool const is_qwen = name == "Qwen2ForCausalLM" || name == "Qwen3ForCausalLM";
  if (!is_mistral && !is_qwen) return 0;
  if (is_qwen && !config.boolean("use_sliding_window", false)) return 0;
  std::int64_t const unsaid = config.mentions("sliding_window") ? 0 : default_window_tokens;
  return config.integer("sliding_window", 1, most_positions, unsaid);
}

// Which layers slide, where layer_types does not say.
std::int64_t first_sliding_layer(const JsonFields& config, const Architecture& known) {
  if (std::string(known.name) == "MistralForCausalLM") return 0;
  return config.integer("max_window_layers", 0, most_positions, default_max_window_layers);
}

std::int64_t window_of_type(const JsonFields& config, const json& type, std::int64_t window) {
  if (type == "full_attention") return 0;
  if (type != "sliding_attention") {
    config.refuse("layer_types", brief(type) + " is not routed (routed: full_attention, sliding_attention)");
  }
  if (window == 0) config.refuse("layer_types", "sliding_attention, but the model has no sliding window");
  return window;
}

void apply_layer_types(const JsonFields& config, std::int64_t window, ModelConfig& model) {
  const json& types = config.value("layer_types");
  if (!types.is_array() || types.size() != static_cast<std::size_t>(model.layers)) {
    config.refuse("layer_types", fmt::format("not a list of {} names", model.layers));
  }
  std::vector<std::int64_t> typed;
  for (const json& type : types) typed.push_back(window_of_type(config, type, window));
  // transformers ignores the list for Mistral, others obey it: only a list that changes nothing is safe.
  if (model.architecture == "MistralForCausalLM" && typed != model.window_tokens) {
    config.refuse("layer_types", "mixed layers are not routed for MistralForCausalLM");
  }
  model.window_tokens = typed;
}

void read_windows(const JsonFields& config, const Architecture& known, ModelConfig& model) {
  std::int64_t const window = read_window(config, known);
  std::int64_t const first = window == 0 ? model.layers : first_sliding_layer(config, known);
  for (std::int64_t layer = 0; layer < model.layers; ++layer) model.window_tokens.push_back(layer >= first ? window : 0);
  if (config.has("layer_types")) apply_layer_types(config, window, model);
}

void add_eos(const JsonFields& document, const json& id, ModelConfig& model) {
  bool const inside = id.is_number_integer() && id >= 0 && id < model.vocab_size;
  if (!inside) document.refuse("eos_token_id", fmt::format("{} is not a token id below {}", brief(id), model.vocab_size));
  auto const token = id.get<std::int64_t>();
  auto const end = model.eos_token_ids.end();
  if (std::find(model.eos_token_ids.begin(), end, token) == end) model.eos_token_ids.push_back(token);
}

void read_eos(const JsonFields& document, ModelConfig& model) {
  const json& ids = document.value("eos_token_id");
  if (ids.is_null()) return;
  if (!ids.is_array()) return add_eos(document, ids, model);
  for (const json& id : ids) add_eos(document, id, model);
}

// config.json and generation_config.json each may name end-of-text tokens: all of them stop.
void read_all_eos(const JsonFields& config, const Architecture& known, const std::filesystem::path& dir, ModelConfig& model) {
  read_eos(config, model);
  std::filesystem::path const file = dir / "generation_config.json";
  if (file_exists(file)) {
    json const generation = read_json_file(file);
    read_eos(JsonFields(generation, file.string()), model);
  }
  bool const unsaid = !config.mentions("eos_token_id") && model.eos_token_ids.empty();
  if (unsaid && known.eos_token_id != none && known.eos_token_id < model.vocab_size) model.eos_token_ids.push_back(known.eos_token_id);
}

}  // namespace

ModelConfig read_config(const std::filesystem::path& dir) {
  std::filesystem::path const file = dir / "config.json";
  json const document = read_json_file(file);
  JsonFields const config(document, file.string());
  const Architecture& known = read_architecture(config);
  ModelConfig model;
  model.architecture = known.name;
  check_activation(config);
  check_dtype(config);
  read_sizes(config, known, model);
  read_heads(config, known, model);
  read_biases(config, known, model);
  model.rope = read_rope(config, model.max_position_embeddings);
  model.tied_embeddings = config.boolean("tie_word_embeddings", false);
  read_windows(config, known, model);
  read_all_eos(config, known, dir, model);
  return model;
}

}  // namespace redproof::engine
