#include "mutants/driver/find/match.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using test::edited;

namespace {

constexpr const char* overloads = R"(namespace a {
int f(int k) { return k + 1; }
int f(float k, int) { return k + 1; }
struct S { int f() const { return 5; } static constexpr int table[2] = {3, 4}; };
}  // namespace a
constexpr int bias = 7;
template <typename T> T twice(T value) { return value * 2; }
)";

}  // namespace

TEST_CASE("a function is meant by its plain or qualified name, and by its signature among overloads", "[find]") {
  CHECK(edited(overloads, R"j({"function":"S::f","replace_literal":{"literal":"5","with":"6"}})j").find("return 6") != std::string::npos);
  CHECK(edited(overloads, R"j({"function":"a::f","signature":"(float,int)","replace_literal":{"literal":"1","with":"2"}})j")
            .find("int) { return k + 2") != std::string::npos);
  std::string const unclear = edited(overloads, R"j({"function":"a::f","replace_literal":{"literal":"1","with":"2"}})j");
  CHECK(unclear == "stale: a::f is defined at 2 places of a.cpp: lines 2: a::f(int) | 3: a::f(float, int)");
  CHECK(edited(overloads, R"j({"function":"g","replace_literal":{"literal":"1","with":"2"}})j") == "stale: a.cpp defines no g");
}

TEST_CASE("a variable and a template are scopes as well", "[find]") {
  CHECK(edited(overloads, R"j({"function":"bias","replace_literal":{"literal":"7","with":"8"}})j").find("bias = 8") != std::string::npos);
  CHECK(edited(overloads, R"j({"function":"table","replace_literal":{"literal":"3","with":"8"}})j").find("{8, 4}") != std::string::npos);
  CHECK(
      edited(overloads, R"j({"function":"twice","replace_expression":{"expression":"value * 2","with":"value"}})j").find("return value;") !=
      std::string::npos);
}

TEST_CASE("within narrows the search to a statement, a head or an expression", "[find]") {
  std::string const source = "int f(int n) {\n  for (int i = 0; i < n; ++i) { n -= 1; }\n  if (n > 4) { n -= 1; }\n  return n - 1;\n}\n";
  CHECK(edited(source, R"j({"function":"f","delete_statement":{"statement":"n -= 1","within":"if (n > 4)"}})j").find("if (n > 4) { ; }") !=
        std::string::npos);
  CHECK(edited(source, R"j({"function":"f","replace_literal":{"literal":"1","with":"2","within":"return n - 1"}})j").find("return n - 2") !=
        std::string::npos);
  CHECK(edited(source, R"j({"function":"f","replace_literal":{"literal":"1","with":"2","within":"while (true)"}})j")
            .starts_with("stale: within"));
}

TEST_CASE("what is near is told where nothing matches", "[find]") {
  std::string const stale =
      edited("int f(int n) {\n  return n + 41;\n}\n", R"j({"function":"f","replace_expression":{"expression":"n + 42","with":"n"}})j");
  CHECK(stale == "stale: expression `n + 42` is nowhere in f; near it is line 2: n + 41");
}

TEST_CASE("same_tokens sees tokens only", "[find]") {
  CHECK(same_tokens("a+b /* c */", "a\n + b // d"));
  CHECK_FALSE(same_tokens("a + b", "ab"));
  CHECK_FALSE(same_tokens("\"a b\"", "\"a  b\""));
}
