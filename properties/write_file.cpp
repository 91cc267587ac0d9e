#include "properties/write_file.h"

#include <cerrno>
#include <fstream>

#include "properties/cannot_check.h"

namespace redproof::properties {

bool write_file(const std::filesystem::path& file, const std::function<void(std::ofstream&)>& write) {
  errno = EIO;  // where the system says nothing
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  write(out);
  out.close();
  return out.good();
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  if (!write_file(file, [&](std::ofstream& out) { out << text; })) throw cannot_write(file.string());
}

}  // namespace redproof::properties
