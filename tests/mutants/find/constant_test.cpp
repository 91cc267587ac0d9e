#include "mutants/driver/find/parse.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

// The literals of a source that have to be constant; the others in the second list.
std::pair<std::string, std::string> literals(const std::string& source) {
  auto const file = test::parsed(source);
  REQUIRE(file.broken.empty());
  std::pair<std::string, std::string> found;
  for (const Scope& scope : file.scopes)
    for (const Node& node : scope.nodes)
      if (node.kind == NodeKind::literal)
        (node.is_constant ? found.first : found.second) += file.text.substr(node.range.begin, node.range.end - node.range.begin);
  return found;
}

using Pair = std::pair<std::string, std::string>;

}  // namespace

TEST_CASE("bounds, template arguments and labels are constant, what they hold is not", "[find]") {
  CHECK(literals("void f() { int a[1] = {2}; (void)a; }\n") == Pair{"1", "2"});
  CHECK(literals("template <int n> int g(int a) { return a; }\nint f() { return g<1>(2); }\n") == Pair{"1", "2"});
  CHECK(literals("template <int n> struct S { int a; };\nint f() { S<1> s{2}; return s.a + S<3>{4}.a; }\n") == Pair{"13", "24"});
  CHECK(literals("int f(int a) { switch (a) { case 1: return 2; default: return 3; } }\n") == Pair{"1", "23"});
  CHECK(literals("struct S { int a : 1; int b = 2; };\n") == Pair{"1", "2"});
}

TEST_CASE("constexpr, constinit, enumerators, assertions and unevaluated operands are constant", "[find]") {
  CHECK(literals("constexpr int a = 1;\nconstinit int b = 2;\nconst int c = 3;\nenum { d = 4 };\n") == Pair{"124", "3"});
  CHECK(literals("int f(int a) { static_assert(1 < 2); if constexpr (3 < 4) a += 5; if (a < 6) a += 7; return a; }\n") ==
        Pair{"1234", "567"});
  CHECK(literals("unsigned long f() { return sizeof(1) + noexcept(2) + alignof(char) + 3; }\n") == Pair{"12", "3"});
  CHECK(literals("[[deprecated(\"1\")]] int f(int a = 2) noexcept(3 < 4) { return a + 5; }\n") == Pair{"", "25"});
  CHECK(literals("struct S { S(int b = 1) noexcept(2 < 3) : a(b + 4) {} int a; };\n").first.empty());
}
