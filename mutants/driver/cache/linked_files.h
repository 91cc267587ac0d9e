// What stands behind a link, as text: too large to be read, or read whole.
#pragma once
#include <filesystem>
#include <string>

namespace redproof::mutants {

enum class Told { by_time, by_content };

// A line for each file at or below `path`, whose links are followed, each folder once: name, then size and time of change, or SHA-256. What
// cannot be read is told by name alone. Throws Interrupted.
std::string linked_files(const std::filesystem::path& path, Told told);

}  // namespace redproof::mutants
