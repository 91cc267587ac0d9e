// The folder that holds the private trees of one run: outside the user's tree, locked, removed at the end.
#pragma once
#include <filesystem>

namespace redproof::mutants {

class LabFolder {
 public:
  // ($REDPROOF_LAB or the temporary folder)/redproof-lab-UID-HASH, emptied. Labs that dead runs left are removed first. Throws
  // gates::Refusal where another run holds it, or where it is not ours.
  explicit LabFolder(const std::filesystem::path& root);
  LabFolder(const LabFolder&) = delete;
  LabFolder& operator=(const LabFolder&) = delete;
  ~LabFolder();

  const std::filesystem::path& path() const { return path_; }
  void keep();  // leaves it behind, for a look by hand

 private:
  std::filesystem::path path_;
  int lock_ = -1;
  bool keep_ = false;
};

std::filesystem::path lab_path(const std::filesystem::path& root);

}  // namespace redproof::mutants
