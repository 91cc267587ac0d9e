#pragma once
#include <filesystem>
#include <string>

namespace redproof::mutants {

// One line: the place, what the system says of it, and what may be done.
std::string told(const std::filesystem::filesystem_error& error);
// Whether a build's log says that the disk is full: then it says nothing of the mutant.
bool speaks_of_a_full_disk(const std::string& log);

}  // namespace redproof::mutants
