// The programs that a verdict rests on beside those that are built: the judge itself, compilers, and what runs the gates.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace redproof::mutants {

// SHA-256 over this program and every library that is loaded with it when this is first called.
std::string judge_sha256();

// What is executed where a command in `folder` begins with `name`: the file, and where that is a script its interpreters, each with the
// word that named it. None where there is no such file.
struct Executed {
  std::string word;
  std::filesystem::path file;
};
std::vector<Executed> executed(const std::string& name, const std::filesystem::path& folder);

// A line for each of them: name and hash. The name alone where there is none.
std::string program_text(const std::string& name, const std::filesystem::path& folder);

// The libraries that `ldd` printed in the tree, a line each: name and hash, sorted.
std::string library_lines(const std::string& ldd_output, const std::filesystem::path& tree);

// The first word that is no launcher such as ccache; the end where there is none.
std::vector<std::string>::const_iterator compiler_of(const std::vector<std::string>& command);

}  // namespace redproof::mutants
