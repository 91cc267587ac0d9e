#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "properties/generators/checkpoint_tensors.h"

namespace redproof::properties {

struct Shard {
  std::string file;
  std::span<const StoredTensor> tensors;
};

// The field of config.json that says where a checkpoint comes from, and what it says in one of ours. Nothing is loaded by it.
inline constexpr const char* config_origin_field = "_name_or_path";
inline constexpr const char* config_origin = "redproof/make_checkpoint";

std::string config_document(const CheckpointOptions& options);
std::string safetensors_header(std::span<const StoredTensor> tensors);  // padded to a multiple of 8 bytes
std::string index_document(const std::vector<Shard>& shards);
std::string tokenizer_document();

}  // namespace redproof::properties
