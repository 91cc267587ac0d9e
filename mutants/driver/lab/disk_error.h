#pragma once
#include <filesystem>
#include <string>

namespace redproof::mutants {

// One line: the place, what the system says of it, and what may be done.
std::string told(const std::filesystem::filesystem_error& error);
// Whether a build's log says that the disk is full, or that a file may not be as large as it would be: then it says nothing of the mutant.
bool speaks_of_a_full_disk(const std::string& log);
bool speaks_of_a_size_limit(const std::string& log);

inline constexpr const char* size_limit_advice = "the limit on the size of files (ulimit -f) is too low";

}  // namespace redproof::mutants
