#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/types/tensor.h"

namespace redproof::engine {

struct TensorView {
  const void* data;
  DType dtype;
  std::vector<std::int64_t> shape;
  std::string file;  // for messages
};

// All tensors of a checkpoint directory (model.safetensors, or the shards of model.safetensors.index.json), memory-mapped.
// Headers are untrusted: length, bounds, overlap, dtype x shape = bytes, duplicate names are checked on open.
class Checkpoint {
 public:
  static Checkpoint open(const std::filesystem::path& dir);
  static bool has_weights(const std::filesystem::path& dir);

  const TensorView* find(const std::string& name) const;  // null when absent
  const TensorView& at(const std::string& name) const;    // Refusal when absent
  std::vector<std::string> names() const;

 private:
  struct Mapping;
  std::vector<std::shared_ptr<const Mapping>> mappings_;
  std::map<std::string, TensorView> tensors_;
};

}  // namespace redproof::engine
