#include <regex>

#include "tests/architecture/rules.h"
#include "tests/architecture/source_text.h"

namespace redproof::tests {

namespace {

// A macro could hide a body from the scan.
std::vector<Finding> function_macros(std::string const& file, std::string const& text) {
  static std::regex const macro(R"(^[ \t]*#[ \t]*define\b.*$)", std::regex::multiline);
  std::string const code = code_only(text);
  std::vector<Finding> out;
  for (std::sregex_iterator it(code.begin(), code.end(), macro), end; it != end; ++it) {
    out.push_back({file, line_of(code, static_cast<std::size_t>(it->position())), it->str(), "engine/types defines no macros"});
  }
  return out;
}

}  // namespace

std::vector<Finding> bodies_in_types(Tree const& tree) {
  std::vector<Finding> out;
  for (std::string const& file : tree.sources()) {
    if (!is_below(file, "engine/types")) continue;
    std::string const text = tree.read(file);
    if (!is_header(file)) out.push_back({file, 0, "source", "engine/types holds headers only"});
    for (Body const& body : bodies_of(text))
      out.push_back({file, body.first_line, body.signature, "engine/types holds no function bodies"});
    for (Finding const& finding : function_macros(file, text)) out.push_back(finding);
  }
  return out;
}

}  // namespace redproof::tests
