#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made;

TEST_CASE("a comparison of integers becomes three of the other seven", "[generate]") {
  CHECK(made("bool f(int a, int b) { return a < b; }\n", "relational") == Lines{"1: a < b -> false", "1: < -> <=", "1: < -> !="});
  CHECK(made("bool f(int a, int b) { return a != b; }\n", "relational") == Lines{"1: a != b -> true", "1: != -> <", "1: != -> >"});
  CHECK(made("template <class T> bool f(T a, T b) { return a >= b; }\n", "relational") ==
        Lines{"1: a >= b -> true", "1: >= -> >", "1: >= -> =="});
}

TEST_CASE("a loop that counts up by one ends at `!=` as at `<`, any other may not", "[generate]") {
  auto const loop = [](const std::string& header) {
    return made("void g();\nvoid f(int n) { for (" + header + ") g(); }\n", "relational");
  };
  CHECK(loop("int i = 0; i < n; ++i") == Lines{"2: i < n -> false", "2: < -> <="});
  Lines const all{"2: i < n -> false", "2: < -> <=", "2: < -> !="};
  CHECK(loop("int i = 0; i < n; i += 2") == all);
  CHECK(loop("int i = 0, j = 0; i < n; ++j") == all);
  CHECK(loop("int i = 9; i > n; --i") == Lines{"2: i > n -> false", "2: > -> >=", "2: > -> !="});
}

TEST_CASE("what a comparison becomes depends on the type", "[generate]") {
  CHECK(made("bool f(float a, double b) { return a < b; }\n", "relational") == Lines{"1: a < b -> false", "1: < -> <=", "1: < -> >"});
  CHECK(made("bool f(bool a, bool b) { return a == b; }\n", "relational") == Lines{"1: a == b -> false", "1: == -> !="});
  CHECK(made("enum class E { x, y };\nbool f(E a) { return a != E::x; }\n", "relational") == Lines{"2: a != E::x -> true", "2: != -> =="});
  CHECK(made("bool f(int* p) { return p == nullptr; }\n", "relational") == Lines{"1: p == nullptr -> false", "1: == -> !="});
  CHECK(made("struct R { bool operator==(const R&) const; };\nbool f(const R& a, const R& b) { return a == b; }\n", "relational") ==
        Lines{"2: a == b -> false", "2: == -> !="});
}

TEST_CASE("a comparison that the compiler makes of another is changed as it is written", "[generate]") {
  std::string const head = "struct R { bool operator==(const R&) const; };\n";
  CHECK(made(head + "bool f(const R& a, const R& b) { return a != b; }\n", "relational") == Lines{"2: a != b -> true", "2: != -> =="});
  CHECK(made(head + "bool f(const R& a, const R& b) { return a != b; }\n", "unary_dropped").empty());
}

TEST_CASE("a logical operator becomes either side, or what it is when decided", "[generate]") {
  CHECK(made("bool f(bool a, bool b) { return a && b; }\n", "logical") == Lines{"1: a && b -> a", "1: a && b -> b", "1: a && b -> false"});
  CHECK(made("bool f(bool a, bool b) { return a || b; }\n", "logical") == Lines{"1: a || b -> a", "1: a || b -> b", "1: a || b -> true"});
}

TEST_CASE("bitwise operators become the one that differs where both bits are set, or a side", "[generate]") {
  CHECK(made("int f(int a, int b) { return a & b; }\n", "bitwise") == Lines{"1: a & b -> a", "1: a & b -> b", "1: & -> ^"});
  CHECK(made("int f(int a, int b) { return a ^ b; }\n", "bitwise") == Lines{"1: a ^ b -> a", "1: a ^ b -> b", "1: ^ -> |"});
}

TEST_CASE("a condition is forced both ways, a loop's only to stop, and no literal at all", "[generate]") {
  CHECK(made("int f(int a) {\n  if (a) return 1;\n  while (a) --a;\n  return a ? 2 : 3;\n}\n", "condition_forced") ==
        Lines{"2: a -> true", "2: a -> false", "3: a -> false", "4: a -> true", "4: a -> false"});
  CHECK(made("void f() { while (true) return; }\n", "condition_forced").empty());
  CHECK(made("int g();\nint f() { if (int a = g()) return a; return 0; }\n", "condition_forced").empty());
  CHECK(made("int f(int n) { int s = 0; for (int i = 0; n; ++i) s += i; return s; }\n", "condition_forced") == Lines{"1: n -> false"});
  CHECK(made("int f(int n) { do --n; while (n); return n; }\n", "condition_forced") == Lines{"1: n -> false"});
}

TEST_CASE("what is decided when the program is compiled is left alone", "[generate]") {
  std::string const source =
      "template <int n> int g() { return 0; }\n"
      "constexpr int bound = 3 + 4;\n"
      "constinit int start = 3 + 4;\n"
      "enum { first = 3 + 4 };\n"
      "template <class T> int f(T) noexcept(3 < 4) {\n"
      "  static_assert(3 < 4);\n"
      "  int room[3 + 4] = {};\n"
      "  if constexpr (3 < 4) room[0] = g<3 + 4>();\n"
      "  alignas(4 + 4) char c = 'c';\n"
      "  switch (c) { case 3 + 4: break; }\n"
      "  return room[0] + static_cast<int>(sizeof(int[3 + 4]) + noexcept(3 < 4)) + decltype(3 + 4)(c);\n"
      "}\n";
  CHECK(made(source, "relational").empty());
  CHECK(made(source, "constant") == Lines{"1: 0 -> -1", "8: 0 -> 1", "11: 0 -> 1"});
}
