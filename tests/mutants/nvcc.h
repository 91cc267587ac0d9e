// The compiler of CUDA, for tests that need one.
#pragma once
#include <string>

namespace redproof::mutants::test {

inline constexpr const char* no_nvcc = "no nvcc: scripts/setup --cuda installs one";

// The one that the preset `cuda` would take; empty where there is none.
std::string nvcc();

}  // namespace redproof::mutants::test
