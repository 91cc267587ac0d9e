#include "mutants/driver/find/parse.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

std::vector<FileSyntax> parsed(const std::string& source, const std::string& name) { return {test::parsed(source, name)}; }

}  // namespace

TEST_CASE("nodes carry the bytes of their source and the arguments of calls", "[find]") {
  auto const files = parsed("int g(int a, int b = 2);\nint f(int k) { return g(k + 1); }\n", "f");
  REQUIRE(files.at(0).broken.empty());
  const Scope& scope = files[0].scopes.back();
  std::vector<std::string> calls, arguments;
  for (const Node& node : scope.nodes) {
    if (node.kind != NodeKind::call) continue;
    calls.push_back(files[0].text.substr(node.range.begin, node.range.end - node.range.begin));
    for (Range const range : node.arguments) arguments.push_back(files[0].text.substr(range.begin, range.end - range.begin));
  }
  CHECK(calls == std::vector<std::string>{"g(k + 1)"});
  CHECK(arguments == std::vector<std::string>{"k + 1"});
}

TEST_CASE("scopes are named by namespaces and records, symbols by records alone", "[find]") {
  auto const files = parsed("namespace a { namespace { struct S { void f() {} }; } int x = 1; void declared(); }\n", "f");
  std::vector<std::string> names, symbols;
  for (const Scope& scope : files.at(0).scopes) {
    names.push_back(scope.name);
    symbols.push_back(scope.symbol);
  }
  CHECK(names == std::vector<std::string>{"a::S", "a::S::f", "a::x"});
  CHECK(symbols == std::vector<std::string>{"S", "S::f", "x"});
}

TEST_CASE("only what is asked for has a tree", "[find]") {
  auto const files = parsed("int f() { return 1; }\nint g() { return 2; }\n", "g");
  CHECK(files.at(0).scopes.at(0).nodes.empty());
  CHECK_FALSE(files.at(0).scopes.at(1).nodes.empty());
}
