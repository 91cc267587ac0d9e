// Planting a mutant in a private tree, and taking it out again.
#pragma once
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "mutants/driver/find/find.h"

namespace redproof::mutants {

// A private tree is not what it has to be: the loudest failure there is (exit 9).
struct NotRestored : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One tree, in which at most one mutant is planted at a time.
class PlantedTree {
 public:
  explicit PlantedTree(std::filesystem::path tree) : tree_(std::move(tree)) {}

  // Writes the mutated files, each with a fresh modification time. Throws NotRestored where a file is not pristine before.
  void plant(const std::vector<MutatedFile>& files);
  // Writes the pristine files back and compares their hashes. Throws NotRestored.
  void restore();
  // SHA-256 of each planted file as it is on disk.
  std::map<std::string, std::string> hashes() const;
  bool is_planted() const { return !planted_.empty(); }

 private:
  std::filesystem::path tree_;
  std::vector<MutatedFile> planted_;
};

}  // namespace redproof::mutants
