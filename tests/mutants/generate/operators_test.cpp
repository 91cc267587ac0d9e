#include "mutants/driver/generate/operators.h"

#include <set>

#include "gates/runner/refusal.h"
#include "mutants/driver/generate/generate.h"
#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("operators are chosen by name, all, or by default", "[generate]") {
  auto const by_default = chosen_operators({});
  CHECK(chosen_operators({"all"}).size() == operators().size());
  CHECK(by_default.size() < operators().size());
  for (const Operator* one : by_default) CHECK(one->by_default);
  auto const named = chosen_operators({"shift", "cast_removed"});
  REQUIRE(named.size() == 2);
  CHECK(named[1]->name == "cast_removed");
  CHECK_THROWS_AS(chosen_operators({"shift", "none"}), redproof::gates::Refusal);
}

TEST_CASE("names are unique and the help has a line for each", "[generate]") {
  std::set<std::string_view> names;
  std::string const help = operators_help();
  for (const Operator& one : operators()) {
    CHECK(names.insert(one.name).second);
    CHECK(help.find(one.description) != std::string::npos);
  }
}
