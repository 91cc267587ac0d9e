#include "mutants/driver/lab/disk_error.h"

#include <fmt/format.h>

#include "gates/runner/printable.h"

namespace redproof::mutants {

// Of two paths the second is the one that was to be made.
std::string told(const std::filesystem::filesystem_error& error) {
  auto const& path = error.path2().empty() ? error.path1() : error.path2();
  return fmt::format("{}: {}; REDPROOF_LAB chooses another place for the lab, --out another output folder", gates::printable(path.string()),
                     error.code().message());
}

bool speaks_of_a_full_disk(const std::string& log) { return log.find("No space left on device") != std::string::npos; }

}  // namespace redproof::mutants
