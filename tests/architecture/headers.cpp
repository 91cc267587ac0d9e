#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <string_view>

#include "tests/architecture/rules.h"
#include "tests/architecture/source_text.h"

namespace redproof::tests {

namespace {

struct HeaderRule {
  std::function<bool(std::string_view)> covers;  // the included header
  std::string_view why;
  std::function<bool(std::string_view)> allows;  // the including file
};

bool is_kernel_folder(std::string_view file) {
  constexpr std::array<std::string_view, 4> folders{"engine/kv", "engine/bits", "engine/attention", "engine/matmul"};
  return std::any_of(folders.begin(), folders.end(), [&](std::string_view folder) { return is_below(file, folder); });
}

bool is_hardware(std::string_view header) {
  return header.starts_with("cuda") || header.starts_with("cublas") || is_below(header, "cub") || header.ends_with("intrin.h") ||
         header == "arm_neon.h";
}

bool is_program_source(std::string_view file) { return file.find("/cli/") != std::string_view::npos && file.ends_with(".cpp"); }

std::vector<HeaderRule> const& rules() {
  static std::vector<HeaderRule> const table{
      {[](auto header) { return header == "nlohmann/json_fwd.hpp"; }, "the kernels' folders know no JSON",
       [](auto file) { return !is_kernel_folder(file); }},
      {[](auto header) { return is_below(header, "nlohmann") && header != "nlohmann/json_fwd.hpp"; },
       "nlohmann/json.hpp belongs in *_json.cpp",
       [](auto file) { return (file.ends_with("_json.cpp") || file.ends_with("_json_test.cpp")) && !is_kernel_folder(file); }},
      {[](auto header) { return is_below(header, "CLI"); }, "CLI11 belongs in one source of a program, in its folder cli",
       is_program_source},
      {[](auto header) { return is_below(header, "clang-c") || is_below(header, "clang") || is_below(header, "llvm"); },
       "libclang belongs in mutants/driver/find", [](auto file) { return is_below(file, "mutants/driver/find"); }},
      {[](auto header) { return header == "sqlite3.h"; }, "SQLite belongs behind mutants/driver/cache/sqlite.h",
       [](auto file) { return file == "mutants/driver/cache/sqlite.cpp"; }},
      {[](auto header) { return is_below(header, "rapidcheck") || header == "rapidcheck.h"; }, "RapidCheck belongs behind properties/run.h",
       [](auto file) { return is_below(file, "properties") && file.ends_with(".cpp"); }},
      {is_hardware, "the oracle computes without the subject's hardware or headers", [](auto file) { return !is_below(file, "oracle"); }},
  };
  return table;
}

// The header's name as third-party code knows it: "../nlohmann/json.hpp" would be the same one.
std::string plain_name(std::string const& target) {
  std::string name = std::filesystem::path(target).lexically_normal().generic_string();
  while (name.starts_with("../")) name.erase(0, 3);
  return name;
}

}  // namespace

std::vector<Finding> misplaced_headers(Tree const& tree) {
  std::vector<Finding> out;
  std::map<std::string, std::string> program_source;  // of each folder cli: the file that includes CLI11
  for (std::string const& file : tree.sources()) {
    for (Include const& include : includes_of(tree.read(file))) {
      std::string const name = plain_name(include.target);
      for (HeaderRule const& rule : rules()) {
        if (rule.covers(name) && !rule.allows(file)) out.push_back({file, include.line, include.directive, std::string(rule.why)});
      }
      if (!is_below(name, "CLI")) continue;
      std::string const folder = std::filesystem::path(file).parent_path().generic_string();
      auto const [first, fresh] = program_source.emplace(folder, file);
      if (!fresh && first->second != file) out.push_back({file, include.line, include.directive, "CLI11 is already in " + first->second});
    }
  }
  return out;
}

}  // namespace redproof::tests
