#include <array>
#include <filesystem>
#include <string_view>

#include "tests/architecture/rules.h"
#include "tests/architecture/source_text.h"

namespace redproof::tests {

namespace {

struct Mirror {
  std::string_view sources;
  std::string_view tests;
};

// oracle/a/b.cpp -> tests/oracle/a/b_test.cpp, and so on. What a program's folder cli holds is tested through the program.
constexpr std::array mirrors{
    Mirror{"oracle", "tests/oracle"},
    Mirror{"gates/runner", "tests/gates"},
    Mirror{"mutants/driver", "tests/mutants"},
};

// NAME_json.cpp may be tested with what it reads or writes, in NAME_test.cpp.
std::vector<std::string> tests_of(std::string const& source, Mirror const& mirror) {
  std::string const stem = source.substr(mirror.sources.size(), source.size() - mirror.sources.size() - std::string_view(".cpp").size());
  std::vector<std::string> out{std::string(mirror.tests) + stem + "_test.cpp"};
  if (stem.ends_with("_json")) out.push_back(std::string(mirror.tests) + stem.substr(0, stem.size() - 5) + "_test.cpp");
  return out;
}

bool has_test_case(Tree const& tree, std::string const& file) {
  return tree.has(file) && code_only(tree.read(file)).find("TEST_CASE(") != std::string::npos;
}

}  // namespace

std::vector<Finding> sources_without_mirror(Tree const& tree) {
  std::vector<Finding> out;
  for (std::string const& file : tree.sources()) {
    for (Mirror const& mirror : mirrors) {
      if (!is_below(file, mirror.sources) || !file.ends_with(".cpp") || file.find("/cli/") != std::string::npos) continue;
      std::vector<std::string> const tests = tests_of(file, mirror);
      bool found = false;
      for (std::string const& test : tests) found = found || has_test_case(tree, test);
      if (!found) out.push_back({file, 0, "source", "no test case in " + tests.front()});
    }
  }
  return out;
}

}  // namespace redproof::tests
