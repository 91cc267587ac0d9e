#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "properties/generators/checkpoint_documents.h"

namespace redproof::properties {
namespace {

using Json = nlohmann::ordered_json;
using engine::DType;
using engine::RopeType;

const char* config_dtype(DType dtype) { return dtype == DType::bf16 ? "bfloat16" : dtype == DType::f16 ? "float16" : "float32"; }
const char* stored_dtype(DType dtype) { return dtype == DType::bf16 ? "BF16" : dtype == DType::f16 ? "F16" : "F32"; }

void set_family(Json& config, Family family) {
  const struct {
    const char* architecture;
    const char* type;
  } names[] = {
      {"LlamaForCausalLM", "llama"}, {"Qwen2ForCausalLM", "qwen2"}, {"Qwen3ForCausalLM", "qwen3"}, {"MistralForCausalLM", "mistral"}};
  const auto& name = names[static_cast<std::size_t>(family)];
  config["architectures"] = {name.architecture};
  config["model_type"] = name.type;
}

void set_rope_scaling(Json& rope, const engine::RopeConfig& from) {
  switch (from.type) {
    case RopeType::none:
      rope["rope_type"] = "default";
      return;
    case RopeType::linear:
      rope["rope_type"] = "linear";
      break;
    case RopeType::llama3:
      rope["rope_type"] = "llama3";
      break;
    case RopeType::yarn:
      rope["rope_type"] = "yarn";
      break;
  }
  rope["factor"] = from.factor;
  if (from.type == RopeType::linear) return;
  rope["original_max_position_embeddings"] = from.original_max_position_embeddings;
  if (from.type == RopeType::llama3) {
    rope["low_freq_factor"] = from.low_freq_factor;
    rope["high_freq_factor"] = from.high_freq_factor;
    return;
  }
  rope["beta_fast"] = from.beta_fast;
  rope["beta_slow"] = from.beta_slow;
  if (from.attention_factor > 0) rope["attention_factor"] = from.attention_factor;
  if (from.mscale > 0) rope["mscale"] = from.mscale;
  if (from.mscale_all_dim > 0) rope["mscale_all_dim"] = from.mscale_all_dim;
  if (!from.truncate) rope["truncate"] = false;
}

void set_rope(Json& config, const CheckpointOptions& options) {
  Json rope = Json::object();
  set_rope_scaling(rope, options.rope);
  if (options.rope_parameters) {
    rope["rope_theta"] = options.rope.theta;
    config["rope_parameters"] = rope;
    return;
  }
  config["rope_theta"] = options.rope.theta;
  config["rope_scaling"] = options.rope.type == RopeType::none ? Json(nullptr) : rope;
}

// Mistral has one window for all layers; Qwen2 and Qwen3 name the layers.
void set_windows(Json& config, const CheckpointOptions& options) {
  const auto& windows = options.windows;
  const std::int64_t size = windows.empty() ? 0 : *std::max_element(windows.begin(), windows.end());
  if (options.family == Family::llama) return;
  config["sliding_window"] = size > 0 ? Json(size) : Json(nullptr);
  if (options.family == Family::mistral) return;
  config["use_sliding_window"] = size > 0;
  if (size == 0) return;
  config["max_window_layers"] = std::find_if(windows.begin(), windows.end(), [](auto w) { return w > 0; }) - windows.begin();
  config["layer_types"] = Json::array();
  for (const std::int64_t w : windows) config["layer_types"].push_back(w > 0 ? "sliding_attention" : "full_attention");
}

void set_fields(Json& config, const std::string& text) {
  const Json fields = Json::parse(text);
  if (!fields.is_object()) throw std::invalid_argument("extra_config: not an object");
  for (const auto& [key, value] : fields.items()) config[key] = value;
}

std::string utf8(std::uint32_t code) {
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xc0U | (code >> 6U)), static_cast<char>(0x80U | (code & 0x3fU))};
}

// The printable character that stands for each byte in byte-level vocabularies.
std::array<std::string, 256> byte_characters() {
  std::array<std::string, 256> characters;
  std::uint32_t next = 256;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte != 173);
    characters[byte] = utf8(printable ? byte : next++);
  }
  return characters;
}

}  // namespace

std::string config_document(const CheckpointOptions& options) {
  Json config = Json::object();
  config[config_origin_field] = config_origin;
  set_family(config, options.family);
  config["hidden_size"] = options.hidden;
  config["intermediate_size"] = options.intermediate;
  config["num_hidden_layers"] = options.layers;
  config["num_attention_heads"] = options.q_heads;
  config["num_key_value_heads"] = options.kv_heads;
  config["head_dim"] = options.head_dim;
  config["vocab_size"] = options.vocab;
  config["max_position_embeddings"] = options.max_positions;
  config["rms_norm_eps"] = 1e-5;
  config["hidden_act"] = "silu";
  config["tie_word_embeddings"] = options.tied;
  config["torch_dtype"] = config_dtype(options.dtype);
  if (options.attention_bias) config["attention_bias"] = true;
  if (options.mlp_bias) config["mlp_bias"] = true;
  if (options.eos_token_id) config["eos_token_id"] = *options.eos_token_id;
  set_rope(config, options);
  set_windows(config, options);
  if (options.quantization_config) config["quantization_config"] = Json::parse(*options.quantization_config);
  for (const std::string& field : options.without_config) config.erase(field);
  if (!options.extra_config.empty()) set_fields(config, options.extra_config);
  return config.dump(2) + "\n";
}

std::string safetensors_header(std::span<const StoredTensor> tensors) {
  Json header = Json::object();
  header["__metadata__"] = {{"format", "pt"}};
  std::size_t offset = 0;
  for (const StoredTensor& tensor : tensors) {
    const std::size_t end = offset + tensor.bytes.size();
    const std::string dtype = tensor.header_dtype.empty() ? stored_dtype(tensor.dtype) : tensor.header_dtype;
    header[tensor.name] = {{"dtype", dtype}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

std::string index_document(const std::vector<Shard>& shards) {
  Json index = {{"metadata", {{"total_size", 0}}}, {"weight_map", Json::object()}};
  std::size_t total = 0;
  for (const Shard& shard : shards) {
    for (const StoredTensor& tensor : shard.tensors) {
      index["weight_map"][tensor.name] = shard.file;
      total += tensor.bytes.size();
    }
  }
  index["metadata"]["total_size"] = total;
  return index.dump(2) + "\n";
}

std::string tokenizer_document() {
  const auto characters = byte_characters();
  const std::string space = characters[' '];
  const std::array<std::array<std::string, 2>, 15> merges{{{"t", "h"},
                                                           {"th", "e"},
                                                           {space, "the"},
                                                           {"i", "n"},
                                                           {"a", "n"},
                                                           {"an", "d"},
                                                           {space, "and"},
                                                           {"e", "r"},
                                                           {"o", "n"},
                                                           {"r", "e"},
                                                           {space, "a"},
                                                           {"i", "s"},
                                                           {space, "is"},
                                                           {"o", "f"},
                                                           {space, "of"}}};
  Json vocab = Json::object();
  for (const std::string& character : characters) vocab[character] = vocab.size();
  Json pairs = Json::array();
  for (const auto& [left, right] : merges) {
    vocab[left + right] = vocab.size();
    pairs.push_back(left + " " + right);
  }
  const std::int64_t end_of_text = tokenizer_vocab - 1;
  vocab["<|endoftext|>"] = end_of_text;
  Json byte_level = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
  Json special = {{"id", end_of_text}, {"content", "<|endoftext|>"}, {"single_word", false}, {"lstrip", false},
                  {"rstrip", false},   {"normalized", false},        {"special", true}};
  Json document = {
      {"version", "1.0"},      {"truncation", nullptr},       {"padding", nullptr},        {"added_tokens", Json::array({special})},
      {"normalizer", nullptr}, {"pre_tokenizer", byte_level}, {"post_processor", nullptr}, {"decoder", byte_level}};
  document["model"] = {{"type", "BPE"},
                       {"dropout", nullptr},
                       {"unk_token", nullptr},
                       {"continuing_subword_prefix", nullptr},
                       {"end_of_word_suffix", nullptr},
                       {"fuse_unk", false},
                       {"byte_fallback", false},
                       {"vocab", vocab},
                       {"merges", pairs}};
  return document.dump(1) + "\n";
}

}  // namespace redproof::properties
