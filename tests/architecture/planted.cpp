#include "tests/architecture/planted.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace redproof::tests {

namespace fs = std::filesystem;

PlantedTree::PlantedTree(std::map<std::string, std::string> const& files) {
  std::string pattern = (fs::temp_directory_path() / "architecture.XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error(pattern + ": no temporary folder");
  root_ = pattern;
  for (auto const& [file, text] : files) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
}

PlantedTree::~PlantedTree() { fs::remove_all(root_); }

Tree own_tree() { return Tree(REDPROOF_ROOT); }

}  // namespace redproof::tests
