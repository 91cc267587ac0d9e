#include "engine/checkpoint/file_exists.h"

#include <fmt/format.h>

#include "engine/checkpoint/printable.h"
#include "engine/types/error.h"

namespace redproof::engine {

bool is_dangling(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_symlink(file, error) && !std::filesystem::exists(file, error) && !error;
}

bool file_exists(const std::filesystem::path& file) {
  std::error_code error;
  auto const status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return is_dangling(file);
  if (error) throw Refusal(fmt::format("{}: {}", printable(file.string()), error.message()));
  return true;
}

}  // namespace redproof::engine
