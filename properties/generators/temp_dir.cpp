#include "properties/generators/temp_dir.h"

#include <stdlib.h>

#include <fstream>
#include <stdexcept>

#include "properties/cannot_check.h"

namespace redproof::properties {

TempDir::TempDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "redproof-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw CannotCheck("cannot make a temporary folder " + pattern);
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) throw CannotCheck("cannot write " + file.string());
}

}  // namespace redproof::properties
