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

std::string config_document(const CheckpointOptions& options);
std::string safetensors_header(std::span<const StoredTensor> tensors);  // padded to a multiple of 8 bytes
std::string index_document(const std::vector<Shard>& shards);
std::string tokenizer_document();

}  // namespace redproof::properties
