#include "gates/runner/disk_space.h"

#include <fmt/format.h>

#include <system_error>

namespace redproof::gates {

bool is_full(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::space_info const space = std::filesystem::space(folder, failed);
  return !failed && space.capacity != 0 && space.available < (1u << 20);
}

std::string no_space_in(const std::filesystem::path& folder, const char* variable) {
  return fmt::format("{}: no space left on the device; set {} to a folder with more room", folder.string(), variable);
}

}  // namespace redproof::gates
