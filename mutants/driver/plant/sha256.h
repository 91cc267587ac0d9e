// SHA-256, as lower-case hexadecimal text.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace redproof::mutants {

std::string sha256(std::string_view bytes);
// Throws gates::Refusal naming the file where it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);
// The same of what a compiler made, without the process number that nvcc leaves in the names of its temporary files (tmpxft_NNNNNNNN_):
// two builds of one source would differ by it.
std::string sha256_of_program(const std::filesystem::path& path);
// The whole file. Throws gates::Refusal naming it where it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace redproof::mutants
