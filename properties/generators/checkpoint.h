#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/types/model.h"
#include "engine/types/tensor.h"

namespace redproof::properties {

enum class Family : std::uint8_t { llama, qwen2, qwen3, mistral };

// How the scale tensors of layer N are called, below model.layers.N.self_attn.
enum class ScaleNames : std::uint8_t {
  attn,      // attn.k_scale, attn.v_scale
  plain,     // k_scale, v_scale
  proj,      // k_proj.k_scale, v_proj.v_scale
  qkv_proj,  // qkv_proj.k_scale, qkv_proj.v_scale
  cache,     // k_cache.scale, v_cache.scale
  kv_scale,  // kv_scale, from k_scales; v_scales is not written
};

// lying_header: its length field points past the end. trailing_byte: one more than the tensors cover.
enum class WeightsFile : std::uint8_t { honest, lying_header, trailing_byte, absent };

// W_k (its bias, or k_norm where there is one) times 2^k with W_q (bias, or q_norm) times 2^-k; W_v (bias) times 2^v with W_o times 2^-v.
struct LayerGain {
  int k = 0;
  int v = 0;
};

struct ExtraTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  engine::DType dtype = engine::DType::f32;
  std::string header_dtype = {};  // what the file's header says instead, of as many bytes; empty: the dtype's own name
};

struct CheckpointOptions {
  Family family = Family::llama;
  std::int32_t layers = 3;
  std::int32_t q_heads = 6;
  std::int32_t kv_heads = 2;
  std::int32_t head_dim = 20;
  std::int64_t hidden = 48;
  std::int64_t intermediate = 56;
  std::int64_t vocab = 67;
  std::int64_t max_positions = 4096;
  std::uint64_t seed = 1;
  engine::DType dtype = engine::DType::bf16;
  bool tied = false;
  bool attention_bias = false;  // Llama: biases on q, k, v and o. Qwen2 always has them on q, k and v
  bool mlp_bias = false;        // Llama
  engine::RopeConfig rope;
  bool rope_parameters = false;       // the newer config field, instead of rope_theta + rope_scaling
  std::vector<std::int64_t> windows;  // [layers] or empty; 0: full attention. Mistral: all layers alike; the others: one size
  std::optional<std::int64_t> eos_token_id;

  std::vector<std::optional<float>> k_scales;  // [layers] or shorter; absent: no tensor
  std::vector<std::optional<float>> v_scales;
  ScaleNames scale_names = ScaleNames::attn;
  std::vector<std::int64_t> scale_shape;  // of each scale tensor, of one element: [] or [1]
  engine::DType scale_dtype = engine::DType::f32;

  float k_magnitude = 4.0F;  // standard deviation of K's elements, more or less
  float v_magnitude = 1.0F;
  std::vector<LayerGain> gains;                      // [layers] or shorter
  bool zero_o_proj = false;                          // in every layer ...
  std::optional<std::int32_t> keep_o_proj_of_layer;  // ... but this one
  bool twin_head_rows = false;                       // row 2i + 1 of lm_head is row 2i: every logit has a twin of equal bits
  std::optional<std::int32_t> nan_token;             // its embedding is NaN; not with tied embeddings, where every logit would be
  std::optional<std::int32_t> nan_logit;  // its row of lm_head is NaN: so is this token's logit, always; not with tied embeddings

  std::optional<std::string> quantization_config;  // JSON text of config.json's quantization_config
  std::optional<std::string> hf_quant_config;      // JSON text of the file hf_quant_config.json
  std::optional<std::string> generation_config;    // JSON text of the file generation_config.json
  std::string extra_config;                 // JSON object whose fields are set in config.json as they stand, the last word; empty: none
  std::vector<std::string> without_config;  // fields removed from config.json
  std::vector<ExtraTensor> extra_tensors;
  std::int32_t shards = 0;  // 0: one model.safetensors; n: n shards and an index
  WeightsFile weights = WeightsFile::honest;
  bool tokenizer = false;  // writes a byte-level tokenizer.json: vocab has to be at least tokenizer_vocab
};

inline constexpr std::int64_t tokenizer_vocab = 272;

// Declarations of an fp8 KV cache, as the ModelOpt producer writes them: inline in config.json, and as the legacy file.
extern const char* const modelopt_fp8_inline;
extern const char* const modelopt_fp8_legacy;

// Writes a Hugging Face directory (created where absent). Every weight is a function of the seed, its tensor's name and its index, so two
// sets of options differ only where they say so. Throws std::invalid_argument on options that contradict each other or a gain that rounds.
void write_checkpoint(const std::filesystem::path& dir, const CheckpointOptions& options);

}  // namespace redproof::properties
