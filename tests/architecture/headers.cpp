#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <string_view>

#include "tests/architecture/rules.h"
#include "tests/architecture/source_text.h"

namespace redproof::tests {

namespace {

struct HeaderRule {
  std::string_view pattern;  // of the included header, whole
  std::string_view why;
  std::function<bool(std::string_view)> allows;  // the including file
};

bool is_kernel_folder(std::string_view file) {
  constexpr std::array<std::string_view, 4> folders{"engine/kv", "engine/bits", "engine/attention", "engine/matmul"};
  return std::any_of(folders.begin(), folders.end(), [&](std::string_view folder) { return is_below(file, folder); });
}

bool is_program_source(std::string_view file) { return file.find("/cli/") != std::string_view::npos && file.ends_with(".cpp"); }

std::vector<HeaderRule> const& rules() {
  static std::vector<HeaderRule> const table{
      {"nlohmann/json_fwd\\.hpp", "the kernels' folders know no JSON", [](auto file) { return !is_kernel_folder(file); }},
      {"nlohmann/(?!json_fwd\\.hpp).*", "nlohmann/json.hpp belongs in *_json.cpp",
       [](auto file) { return (file.ends_with("_json.cpp") || file.ends_with("_json_test.cpp")) && !is_kernel_folder(file); }},
      {"CLI/.*", "CLI11 belongs in one source of a program, in its folder cli", is_program_source},
      {"(clang-c|clang|llvm)/.*", "libclang belongs in mutants/driver/find",
       [](auto file) { return is_below(file, "mutants/driver/find"); }},
      {"rapidcheck(\\.h|/.*)", "RapidCheck belongs behind properties/run.h",
       [](auto file) { return is_below(file, "properties") && file.ends_with(".cpp"); }},
      {"cuda.*|.*intrin\\.h|arm_neon\\.h|cublas.*|cub/.*", "the oracle computes without the subject's hardware or headers",
       [](auto file) { return !is_below(file, "oracle"); }},
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
        if (!std::regex_match(name, std::regex(rule.pattern.begin(), rule.pattern.end()))) continue;
        if (!rule.allows(file)) out.push_back({file, include.line, include.directive, std::string(rule.why)});
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
