#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/types/tensor.h"
#include "properties/generators/checkpoint.h"

namespace redproof::properties {

struct StoredTensor {
  std::string name;
  engine::DType dtype;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;   // little-endian
  std::string header_dtype = {};  // empty: the name of dtype
};

// The tensors of a checkpoint, in the order they are written.
std::vector<StoredTensor> checkpoint_tensors(const CheckpointOptions& options);

// Throws std::invalid_argument where a value has no exact form in the dtype.
std::vector<std::byte> stored_bytes(const std::string& name, const std::vector<float>& values, engine::DType dtype);

}  // namespace redproof::properties
