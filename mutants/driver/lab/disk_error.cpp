#include "mutants/driver/lab/disk_error.h"

#include <fmt/format.h>

#include "gates/runner/printable.h"

namespace redproof::mutants {

// Of two paths the second is the one that was to be made.
std::string told(const std::filesystem::filesystem_error& error) {
  auto const& path = error.path2().empty() ? error.path1() : error.path2();
  bool const limited = error.code() == std::errc::file_too_large;
  return fmt::format("{}: {}; {}", gates::printable(path.string()), error.code().message(),
                     limited ? size_limit_advice : "REDPROOF_LAB chooses another place for the lab, --out another output folder");
}

bool speaks_of_a_full_disk(const std::string& log) { return log.find("No space left on device") != std::string::npos; }

// As the C library names the signal, and shells and compilers' drivers after it.
bool speaks_of_a_size_limit(const std::string& log) { return log.find("File size limit exceeded") != std::string::npos; }

}  // namespace redproof::mutants
