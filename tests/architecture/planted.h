#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "tests/architecture/tree.h"

namespace redproof::tests {

// A small tree in a fresh temporary folder, gone with the object: where a rule is shown what it must find.
class PlantedTree {
 public:
  explicit PlantedTree(std::map<std::string, std::string> const& files);
  ~PlantedTree();
  PlantedTree(PlantedTree const&) = delete;
  PlantedTree& operator=(PlantedTree const&) = delete;
  Tree tree() const { return Tree(root_); }

 private:
  std::filesystem::path root_;
};

// The checkout that this program was built from.
Tree own_tree();

}  // namespace redproof::tests
