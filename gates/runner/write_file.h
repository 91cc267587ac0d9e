// Files that are written where they stand. What is to be whole or not at all is written by write_file_atomically.
#pragma once
#include <filesystem>
#include <string_view>

namespace redproof::gates {

// False where any of it was lost; errno says why.
bool write_all(int fd, std::string_view content);
// Throws Refusal: `PATH: cannot be written: `, and what the system says of errno.
[[noreturn]] void refuse_unwritten(const std::filesystem::path& path);

// Each makes the file where there is none, and throws Refusal where any step fails.
void write_in_place(const std::filesystem::path& path, std::string_view content);
void append_to_file(const std::filesystem::path& path, std::string_view content);

}  // namespace redproof::gates
