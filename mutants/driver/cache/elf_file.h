// Programs in the format of Linux.
#pragma once
#include <filesystem>

namespace redproof::mutants {

// Whether it loads shared libraries when it starts. Of an ELF file that is not understood here: yes.
bool loads_libraries(const std::filesystem::path& file);

}  // namespace redproof::mutants
