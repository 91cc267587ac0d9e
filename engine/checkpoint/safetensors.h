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

// All tensors of a checkpoint directory (model.safetensors, or else the shards of model.safetensors.index.json), memory-mapped; one that
// is not aligned for its dtype is copied. Headers are untrusted: length, bounds, overlap, gaps, dtype x shape = bytes, duplicate names are
// checked on open. A shard's name is relative, without "..", and its file stands below the directory. A mapped file that shrinks ends the
// process: one line, exit code 1.
//
// BF16, F16 and F32 can be read. A tensor of another dtype is checked like all and kept out of names(); asking for it is a Refusal.
class Checkpoint {
 public:
  static Checkpoint open(const std::filesystem::path& dir);
  static bool has_weights(const std::filesystem::path& dir);

  const TensorView* find(const std::string& name) const;  // null when absent
  const TensorView& at(const std::string& name) const;    // Refusal when absent
  std::vector<std::string> names() const;                 // sorted

 private:
  struct Mapping;
  void add_file(const std::filesystem::path& file);
  void add_shards(const std::filesystem::path& dir);

  std::string dir_;
  std::vector<std::shared_ptr<const Mapping>> mappings_;
  std::map<std::string, TensorView> tensors_;
  std::map<std::string, std::string> file_of_;           // every tensor of every header
  std::map<std::string, std::string> unreadable_dtype_;  // tensor -> dtype
};

}  // namespace redproof::engine
