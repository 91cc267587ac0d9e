#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made;

TEST_CASE("an integer becomes its neighbours and zero, in its own spelling", "[generate]") {
  CHECK(made("unsigned f() { return 7u; }\n", "constant") == Lines{"1: 7u -> 8u", "1: 7u -> 6u", "1: 7u -> 0u"});
  CHECK(made("unsigned f(unsigned a) { return a & 0x7F; }\n", "constant") == Lines{"1: 0x7F -> 0x80", "1: 0x7F -> 0x7e", "1: 0x7F -> 0x0"});
  CHECK(made("int f() { return 1; }\n", "constant") == Lines{"1: 1 -> 2"});  // 0 is what return_value makes
  CHECK(made("int f(int a) { return a + 1'000; }\n", "constant") == Lines{"1: 1'000 -> 1001", "1: 1'000 -> 999", "1: 1'000 -> 0"});
}

TEST_CASE("zero becomes minus one only where that is no wrapped or outside index", "[generate]") {
  CHECK(made("int f(int a) { return a * 0; }\n", "constant") == Lines{"1: 0 -> 1", "1: 0 -> -1"});
  CHECK(made("unsigned f(unsigned a) { return a * 0u; }\n", "constant") == Lines{"1: 0u -> 1u"});
  CHECK(made("int f(const int* a) { return a[0]; }\n", "constant") == Lines{"1: 0 -> 1"});
}

TEST_CASE("the zero that an ordering is compared with stays", "[generate]") {
  CHECK(made("#include <compare>\nbool f(int a, int b) { return (a <=> b) < 0; }\n", "constant").empty());
}

TEST_CASE("floating-point and boolean literals", "[generate]") {
  CHECK(made("float f(float a) { return a * 448.0f; }\n", "constant") ==
        Lines{"1: 448.0f -> 0.0f", "1: 448.0f -> 1.0f", "1: 448.0f -> (-448.0f)"});
  CHECK(made("double f(double a) { return a * 0.0 + 1.0; }\n", "constant") == Lines{"1: 0.0 -> 1.0", "1: 1.0 -> 0.0", "1: 1.0 -> (-1.0)"});
  CHECK(made("void g(bool);\nvoid f() { g(true); }\n", "constant") == Lines{"2: true -> false"});
}

TEST_CASE("text is never changed", "[generate]") {
  CHECK(made("const char* f() { return \"7\"; }\nchar g() { return '7'; } // 7\n", "constant").empty());
}

TEST_CASE("a variable starts as nothing of its type", "[generate]") {
  CHECK(made("int g();\nint f() { int a = g(); bool b = g() > 1; auto c = 2.0 * a; const int& d = a; int e = 3; return b + d + e + int(c); "
             "}\n",
             "initialiser") == Lines{"2: g() -> 0", "2: 2.0 * a -> static_cast<double>(0.0)"});
}

TEST_CASE("what is returned becomes nothing or one, by type", "[generate]") {
  CHECK(made("int f(int a) { return a; }\n", "return_value") == Lines{"1: a -> 0", "1: a -> 1"});
  CHECK(made("float f(float a) { return a; }\n", "return_value") == Lines{"1: a -> 0.0f", "1: a -> 1.0f"});
  CHECK(made("bool f(bool a) { return a; }\n", "return_value") == Lines{"1: a -> false", "1: a -> true"});
  CHECK(made("int* f(int* a) { return a; }\n", "return_value") == Lines{"1: a -> nullptr"});
  CHECK(made("struct R { int a = 1; };\nR f(R r) { return r; }\n", "return_value") == Lines{"2: r -> {}"});
  CHECK(made("struct R { explicit R(int); };\nR f(R r) { return r; }\n", "return_value").empty());
  CHECK(made("struct R {};\nauto f(R r) { return r; }\n", "return_value").empty());
  CHECK(made("int& f(int& a) { return a; }\n", "return_value").empty());
}
