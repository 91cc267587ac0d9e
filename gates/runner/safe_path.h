// Paths that come from files of others.
#pragma once
#include <filesystem>
#include <string>

namespace redproof::gates {

// Not empty, relative, no "..", no backslash and no control character.
bool is_safe_relative(const std::string& path);
// Of paths without links, `.` and `..`.
bool is_at_or_below(const std::filesystem::path& path, const std::filesystem::path& folder);
// Whether the path, links resolved, is below the root, links resolved. The path need not exist.
bool stays_below(const std::filesystem::path& root, const std::filesystem::path& path);

}  // namespace redproof::gates
