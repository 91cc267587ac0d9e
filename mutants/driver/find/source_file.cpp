#include "mutants/driver/find/source_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace redproof::mutants {

bool is_source(const std::filesystem::path& file) {
  static constexpr std::array<std::string_view, 13> endings = {".c",   ".cc",  ".cpp", ".cxx", ".C",  ".h",  ".hh",
                                                               ".hpp", ".hxx", ".inc", ".ipp", ".cu", ".cuh"};
  return std::find(endings.begin(), endings.end(), file.extension().string()) != endings.end();
}

bool is_cpp(const std::filesystem::path& file) { return is_source(file) && file.extension() != ".c"; }

bool is_fragment(const std::filesystem::path& file) { return file.extension() == ".inc" || file.extension() == ".ipp"; }

}  // namespace redproof::mutants
