#include "tests/architecture/rules.h"
#include "tests/architecture/source_text.h"

namespace redproof::tests {

std::vector<Finding> bodies_in_types(Tree const& tree) {
  std::vector<Finding> out;
  for (std::string const& file : tree.sources()) {
    if (!is_below(file, "engine/types")) continue;
    std::string const text = tree.read(file);
    if (!is_header(file)) out.push_back({file, 0, "source", "engine/types holds headers only"});
    for (Body const& body : bodies_of(text))
      out.push_back({file, body.first_line, body.signature, "engine/types holds no function bodies"});
    for (Directive const& directive : directives_of(text)) {  // a macro could hide a body from the scan
      if (directive.name == "define") out.push_back({file, directive.line, directive.text, "engine/types defines no macros"});
    }
  }
  return out;
}

}  // namespace redproof::tests
