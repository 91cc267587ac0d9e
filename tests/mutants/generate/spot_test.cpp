#include "mutants/driver/generate/spot.h"

#include "mutants/driver/find/parse.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

std::optional<Spot> find(const Tree& tree, const std::string& text) {
  for (const Spot& spot : spots_of(tree))
    if (spot.text() == text) return spot;
  return std::nullopt;
}

}  // namespace

TEST_CASE("a spot is what is written, with what it is converted to", "[generate]") {
  FileSyntax const file = test::parsed("long f(int a, long b) { return (a) + b; }\n");
  Tree const tree{&file, &file.scopes.back()};
  auto const sum = find(tree, "(a) + b");
  REQUIRE(sum);
  auto const operands = operands_of(*sum);
  REQUIRE(operands);
  CHECK(tree.text(operands->mark) == "+");
  CHECK(operands->left.text() == "(a)");
  CHECK(operands->left.converted().spelling == "long");
  CHECK(unwrapped(operands->left).text() == "a");
  CHECK(unwrapped(operands->left).node().type.spelling == "int");
  CHECK(operands->right.is_value());
}

TEST_CASE("statements and conditions are found where they stand", "[generate]") {
  FileSyntax const file = test::parsed(
      "void g();\nvoid f(int a) {\n  for (int i = 0; i < a; ++i) g();\n  if (int b = a; b > 1) g();\n  while (int c = a) g();\n}\n");
  Tree const tree{&file, &file.scopes.back()};
  std::vector<std::string> conditions;
  std::vector<std::string> statements;
  for (const Spot& spot : spots_of(tree)) {
    if (auto const condition = condition_of(spot)) conditions.emplace_back(condition->text());
    if (spot.node().kind == NodeKind::call && stands_as_statement(spot)) statements.emplace_back(tree.text(statement_of(spot)));
  }
  CHECK(conditions == std::vector<std::string>{"i < a", "b > 1"});
  CHECK(statements == std::vector<std::string>{"g();", "g();", "g();"});
}

TEST_CASE("what binds less than a sum gets brackets before it is added to", "[generate]") {
  FileSyntax const file = test::parsed("int f(int a, int b) { return a * b + (a << b) + (a ? b : a); }\n");
  Tree const tree{&file, &file.scopes.back()};
  std::vector<std::string> sums;
  for (const char* text : {"a * b", "a << b", "(a << b)", "a ? b : a", "b"}) {
    auto const spot = find(tree, text);
    REQUIRE(spot);
    sums.push_back(summand(*spot));
  }
  CHECK(sums == std::vector<std::string>{"a * b", "(a << b)", "(a << b)", "(a ? b : a)", "b"});
}
