#pragma once
#include <filesystem>

namespace redproof::gates {

// A fresh private folder, removed with all that is in it when this goes.
class Scratch {
 public:
  // Below `parent`, or below the system's temporary folder where that is empty. Throws Refusal where none can be made.
  explicit Scratch(const std::filesystem::path& parent);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace redproof::gates
