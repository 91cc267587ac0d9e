// Files written by the checking side, and what to do where one does not take what is written.
#pragma once
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace redproof::properties {

// False where the file did not take all that `write` gave; errno says why.
[[nodiscard]] bool write_file(const std::filesystem::path& file, const std::function<void(std::ofstream&)>& write);
// Throws CannotCheck naming the file.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace redproof::properties
