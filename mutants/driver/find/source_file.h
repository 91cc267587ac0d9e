// Which files are sources, by their endings.
#pragma once
#include <filesystem>

namespace redproof::mutants {

bool is_source(const std::filesystem::path& file);       // of C, C++ or CUDA: what a preprocessor reads
bool is_cpp(const std::filesystem::path& file);          // of C++ or CUDA, headers included
bool is_host_source(const std::filesystem::path& file);  // of C or C++, headers included
bool is_unit(const std::filesystem::path& file);         // what a compiler is given, as opposed to what is included
bool is_fragment(const std::filesystem::path& file);     // a source that is nothing by itself, but is included by another

}  // namespace redproof::mutants
