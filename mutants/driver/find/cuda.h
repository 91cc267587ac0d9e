// CUDA sources as clang reads them: nvcc's words in clang's, the header that CUDA 13 no longer has, and both passes in one tree.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

// Whether a compile command's words, its compiler first, are of a CUDA source.
bool is_cuda_source(const std::filesystem::path& file, const std::vector<std::string>& words);
// Whether a header speaks of devices, so that it means something else outside a source of CUDA.
bool is_cuda_header(const std::filesystem::path& header);
// The words with the contents of options files in their place. Relative names start in `directory`.
std::vector<std::string> with_options_files(const std::vector<std::string>& words, const std::filesystem::path& directory);
// What clang needs to know beside the flags that it shares with nvcc: the language, the toolkit that the compiler belongs to, the newest
// architecture that both know.
std::vector<std::string> cuda_flags(const std::vector<std::string>& words);

// `host` with the nodes and scopes that only `device` has. Broken where one of them is.
FileSyntax both_passes(FileSyntax host, const FileSyntax& device);

}  // namespace redproof::mutants
