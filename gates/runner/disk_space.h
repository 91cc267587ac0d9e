// Disks that have no room left.
#pragma once
#include <filesystem>
#include <string>

namespace redproof::gates {

// Less than a mebibyte is left for this user; false where the file system tells no size. What a program could not write there, it may have
// taken for something else.
bool is_full(const std::filesystem::path& folder);
// One line: the folder, and the variable that names another.
std::string no_space_in(const std::filesystem::path& folder, const char* variable);

}  // namespace redproof::gates
