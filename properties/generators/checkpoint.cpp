#include "properties/generators/checkpoint.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>

#include "properties/cannot_check.h"
#include "properties/generators/checkpoint_documents.h"
#include "properties/generators/checkpoint_tensors.h"
#include "properties/generators/interrupt.h"
#include "properties/write_file.h"

namespace redproof::properties {

const char* const modelopt_fp8_inline = R"({"quant_method": "modelopt", "quant_algo": "FP8", "kv_cache_quant_algo": "FP8"})";
const char* const modelopt_fp8_legacy =
    R"({"producer": {"name": "modelopt", "version": "0.29.0"}, "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}})";

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

void require_windows(const CheckpointOptions& o) {
  std::set<std::int64_t> sizes(o.windows.begin(), o.windows.end());
  if (o.family == Family::mistral) return require(sizes.size() <= 1, "windows: a Mistral model has one for all layers");
  sizes.erase(0);
  require(sizes.size() <= 1, "windows: 0 and one size");
  require(sizes.empty() || o.family != Family::llama, "windows: a Llama model has none");
}

void require_consistent(const CheckpointOptions& o) {
  const auto layers = static_cast<std::size_t>(o.layers);
  require(o.layers > 0 && o.hidden > 0 && o.intermediate > 0 && o.vocab > 0 && o.head_dim > 0, "sizes have to be positive");
  require(o.kv_heads > 0 && o.q_heads % o.kv_heads == 0, "q_heads has to be a multiple of kv_heads");
  require(o.windows.empty() || o.windows.size() == layers, "windows: one a layer");
  require(o.gains.size() <= layers && o.k_scales.size() <= layers && o.v_scales.size() <= layers, "more gains or scales than layers");
  require(!(o.attention_bias || o.mlp_bias) || o.family == Family::llama, "attention_bias and mlp_bias: Llama only");
  require(!o.tokenizer || o.vocab >= tokenizer_vocab, "a tokenizer needs a larger vocab");
  require(!o.tied || !(o.twin_head_rows || o.nan_token), "twin_head_rows and nan_token: not with tied embeddings");
  require(!o.nan_logit || (!o.tied && *o.nan_logit >= 0 && *o.nan_logit < o.vocab), "nan_logit: tied, or not in the vocabulary");
  require(!o.nan_token || (*o.nan_token >= 0 && *o.nan_token < o.vocab), "nan_token: not in the vocabulary");
  require_windows(o);
}

void write_part(std::ofstream& out, std::string_view part) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;  // between two looks at a signal
  while (!part.empty() && out) {
    stop_if_interrupted();
    const std::string_view next = part.substr(0, piece_bytes);
    out.write(next.data(), static_cast<std::streamsize>(next.size()));
    part.remove_prefix(next.size());
  }
}

// 8 bytes of length, the header, the tensors back to back.
void write_safetensors(const std::filesystem::path& file, std::span<const StoredTensor> tensors, WeightsFile kind) {
  const std::string header = safetensors_header(tensors);
  std::uint64_t length = header.size();
  if (kind == WeightsFile::lying_header) length += std::uint64_t{1} << 40U;
  std::vector<std::string> parts{std::string(sizeof length, '\0'), header};
  std::memcpy(parts[0].data(), &length, sizeof length);
  for (const StoredTensor& tensor : tensors) {
    parts.emplace_back(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  if (kind == WeightsFile::trailing_byte) parts.emplace_back(1, '\0');
  bool const written = write_file(file, [&](std::ofstream& out) {
    for (const std::string& part : parts) write_part(out, part);
  });
  if (!written) throw cannot_write(file.string());
}

std::string shard_name(std::size_t shard, std::size_t shards) {
  const auto five = [](std::size_t n) {
    const std::string digits = std::to_string(n);
    return std::string(5 - std::min<std::size_t>(digits.size(), 5), '0') + digits;
  };
  return "model-" + five(shard + 1) + "-of-" + five(shards) + ".safetensors";
}

void write_weights(const std::filesystem::path& dir, const CheckpointOptions& options) {
  const std::vector<StoredTensor> tensors = checkpoint_tensors(options);
  if (options.shards <= 0) return write_safetensors(dir / "model.safetensors", tensors, options.weights);
  const auto count = static_cast<std::size_t>(options.shards);
  std::vector<Shard> shards;
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t begin = tensors.size() * s / count;
    const std::size_t end = tensors.size() * (s + 1) / count;
    shards.push_back({shard_name(s, count), std::span(tensors).subspan(begin, end - begin)});
    write_safetensors(dir / shards.back().file, shards.back().tensors, s == 0 ? options.weights : WeightsFile::honest);
  }
  write_text(dir / "model.safetensors.index.json", index_document(shards));
}

}  // namespace

void write_checkpoint(const std::filesystem::path& dir, const CheckpointOptions& options) {
  require_consistent(options);
  std::filesystem::create_directories(dir);
  write_text(dir / "config.json", config_document(options));
  if (options.hf_quant_config) write_text(dir / "hf_quant_config.json", *options.hf_quant_config);
  if (options.generation_config) write_text(dir / "generation_config.json", *options.generation_config);
  if (options.tokenizer) write_text(dir / "tokenizer.json", tokenizer_document());
  if (options.weights != WeightsFile::absent) write_weights(dir, options);
}

}  // namespace redproof::properties
