#include "engine/checkpoint/file_exists.h"

#include <fmt/format.h>

#include "engine/checkpoint/printable.h"
#include "engine/types/error.h"

namespace redproof::engine {

bool file_exists(const std::filesystem::path& file) {
  std::error_code error;
  auto const status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return false;
  if (error) throw Refusal(fmt::format("{}: {}", printable(file.string()), error.message()));
  return true;
}

}  // namespace redproof::engine
