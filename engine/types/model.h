#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace redproof::engine {

enum class RopeType : std::uint8_t { none, linear, llama3, yarn };  // none: Hugging Face's "default"

struct RopeConfig {
  RopeType type = RopeType::none;
  double theta = 10000.0;
  double factor = 1.0;
  double low_freq_factor = 1.0;
  double high_freq_factor = 4.0;
  double beta_fast = 32.0;
  double beta_slow = 1.0;
  double attention_factor = 0.0;  // 0: derived from factor, mscale and mscale_all_dim
  double mscale = 0.0;
  double mscale_all_dim = 0.0;
  bool truncate = true;
  std::int64_t original_max_position_embeddings = 0;
};

// config.json, checked and with defaults filled in.
struct ModelConfig {
  std::string architecture;  // "LlamaForCausalLM", ...
  std::int64_t hidden_size = 0;
  std::int64_t intermediate_size = 0;
  std::int64_t vocab_size = 0;
  std::int64_t max_position_embeddings = 0;  // tokens
  std::int32_t layers = 0;
  std::int32_t q_heads = 0;
  std::int32_t kv_heads = 0;
  std::int32_t head_dim = 0;
  double rms_norm_eps = 1e-6;
  RopeConfig rope;
  bool tied_embeddings = false;
  bool qkv_bias = false;
  bool o_bias = false;
  bool mlp_bias = false;
  bool qk_norm = false;                     // RMSNorm over each head of Q and K, before RoPE
  std::vector<std::int64_t> window_tokens;  // [layers], 0: full attention; a token attends to itself and window - 1 before it
  std::vector<std::int64_t> eos_token_ids;
};

}  // namespace redproof::engine
