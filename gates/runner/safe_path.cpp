#include "gates/runner/safe_path.h"

#include <algorithm>
#include <system_error>

namespace redproof::gates {

bool is_safe_relative(const std::string& path) {
  if (path.empty()) return false;
  if (std::any_of(path.begin(), path.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F || c == '\\'; })) return false;
  std::filesystem::path const parts(path);
  return parts.is_relative() && std::find(parts.begin(), parts.end(), "..") == parts.end();
}

bool is_at_or_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

bool stays_below(const std::filesystem::path& root, const std::filesystem::path& path) {
  std::error_code error;
  auto const base = std::filesystem::canonical(root, error);
  if (error) return false;
  auto const target = std::filesystem::weakly_canonical(path, error);
  if (error) return false;
  return is_at_or_below(target, base);
}

}  // namespace redproof::gates
