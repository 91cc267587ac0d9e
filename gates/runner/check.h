#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace redproof::gates {

// Everything that is wrong with the gate files below root/gates, a line each, sorted by file: malformed files, a blind spot covered by a
// gate that is not there, one tag used twice, a surface whose file or symbol is not there. Runs nothing. No gate at all is a problem too.
std::vector<std::string> check_gates(const std::filesystem::path& root);

}  // namespace redproof::gates
