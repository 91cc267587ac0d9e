#include "properties/generators/temp_dir.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>

#include "properties/cannot_check.h"

namespace redproof::properties {

TempDir::TempDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "redproof-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw CannotCheck("cannot make a temporary folder " + pattern + ": " + std::strerror(errno));
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace redproof::properties
