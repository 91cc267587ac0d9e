// The programs that a verdict rests on beside those that are built: the judge itself, compilers, and what runs the gates.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace redproof::mutants {

// SHA-256 over this program and every library that is loaded with it when this is first called.
std::string judge_sha256();

// A line: a program, named by its path or looked up in PATH, with the hash of its file and of the interpreter that a script names. The name
// alone where there is none.
std::string program_text(const std::string& name);

// The libraries that `ldd` printed, a line each: name and hash, sorted.
std::string library_lines(const std::string& ldd_output, const std::filesystem::path& tree);

// The first word that is no launcher such as ccache; the end where there is none.
std::vector<std::string>::const_iterator compiler_of(const std::vector<std::string>& command);

}  // namespace redproof::mutants
