#include "mutants/driver/catalog/edit_kinds.h"

#include <fstream>
#include <iterator>
#include <set>

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("every kind of edit has a name of its own and is documented with its keys", "[catalog]") {
  std::ifstream stream(REDPROOF_ROOT "/docs/mutants.md");
  std::string const page{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  std::set<std::string_view> names;
  for (const EditGrammar& grammar : edit_grammars()) {
    names.insert(grammar.name);
    INFO(grammar.name);
    if (grammar.kind != EditKind::text) CHECK(page.find("| `" + std::string(grammar.name) + "` |") != std::string::npos);
    for (auto const& keys : {grammar.required, grammar.one_of})
      for (std::string_view const key : keys) CHECK(page.find(key) != std::string::npos);
  }
  CHECK(names.size() == edit_grammars().size());
  CHECK(names.size() == 13);
}
