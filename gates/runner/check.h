#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace redproof::gates {

// Everything that is wrong with the gate files below root/gates, a line each, sorted by file: what makes a file malformed, a blind spot
// covered by a gate that is not there, one tag used twice, a surface whose file or symbol is not there, a program that is neither in `bin`
// nor named by the build (CMakeLists.txt, cmake/*.cmake), and, where the project has a folder properties/, a law of such a program that has
// no file there. Runs nothing. No gate at all is a problem too.
std::vector<std::string> check_gates(const std::filesystem::path& root, const std::filesystem::path& bin);

}  // namespace redproof::gates
