#include "mutants/driver/find/source_file.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace redproof::mutants {
namespace {

using Endings = std::initializer_list<std::string_view>;

bool ends_in(const std::filesystem::path& file, Endings endings) {
  return std::find(endings.begin(), endings.end(), file.extension().string()) != endings.end();
}

bool is_header(const std::filesystem::path& file) { return ends_in(file, {".h", ".hh", ".hpp", ".hxx", ".h++", ".cuh"}); }

}  // namespace

bool is_source(const std::filesystem::path& file) { return is_unit(file) || is_header(file) || is_fragment(file); }

bool is_cpp(const std::filesystem::path& file) { return is_source(file) && file.extension() != ".c"; }

bool is_host_source(const std::filesystem::path& file) { return is_source(file) && !ends_in(file, {".cu", ".cuh"}); }

bool is_unit(const std::filesystem::path& file) { return ends_in(file, {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cu"}); }

bool is_fragment(const std::filesystem::path& file) { return ends_in(file, {".inc", ".ipp", ".inl", ".tpp"}); }

}  // namespace redproof::mutants
