// Is a line compiled at all? An #error in front of it knows.
#pragma once
#include <vector>

#include "mutants/driver/find/find.h"

namespace redproof::mutants {

inline constexpr const char* probe_message = "redproof probe: this line is compiled";

// The C, C++ and CUDA files among `files`, pristine but for an #error in front of the first line that the mutant changes.
std::vector<MutatedFile> probe_files(const std::vector<MutatedFile>& files);

}  // namespace redproof::mutants
