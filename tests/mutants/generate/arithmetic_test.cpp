#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made;

TEST_CASE("arithmetic operators are exchanged where both sides are numbers", "[generate]") {
  CHECK(made("int f(int a, int b) { return a + b * a - b / a % b; }\n", "arithmetic") ==
        Lines{"1: + -> -", "1: * -> /", "1: - -> +", "1: / -> *", "1: % -> *"});
  CHECK(made("int* f(int* p, int n) { return p + n; }\n", "arithmetic") == Lines{"1: + -> -"});
  CHECK(made("long f(int* p, int* q) { return p - q; }\n", "arithmetic").empty());
  CHECK(made("struct R { R operator+(R) const; };\nR f(R a) { return a + a; }\n", "arithmetic").empty());
}

TEST_CASE("a shift is turned round or left out", "[generate]") {
  CHECK(made("int f(int a) { return a << 3; }\n", "shift") == Lines{"1: a << 3 -> a", "1: << -> >>"});
}

TEST_CASE("a compound assignment becomes its counterpart or a plain one", "[generate]") {
  CHECK(made("void f(int& a) { a += 2; a |= 4; }\n", "assignment") == Lines{"1: += -> -=", "1: += -> =", "1: |= -> ^=", "1: |= -> ="});
  CHECK(made("void f(int*& p) { p += 2; }\n", "assignment") == Lines{"1: += -> -="});
  // Not where it steps a loop.
  CHECK(made("int f(int a) { for (int i = 0; i < 9; i += 2) a |= i; return a; }\n", "assignment") == Lines{"1: |= -> ^=", "1: |= -> ="});
}

TEST_CASE("an increment is turned round, but not where it steps a loop", "[generate]") {
  CHECK(made("int f(int a) { ++a; for (int i = 0; i < 3; ++i) a += i; return a--; }\n", "increment") ==
        Lines{"1: ++ -> --", "1: -- -> ++", "1: -- -> "});
}

TEST_CASE("a unary operator goes, or comes", "[generate]") {
  CHECK(made("int f(int a, bool b) { return !b ? -a : ~a; }\n", "unary_dropped") == Lines{"1: !b -> b", "1: -a -> a", "1: ~a -> a"});
  CHECK(made("int f(int a, bool b, unsigned c) { return a + int(c * 2) == 1 || b; }\n", "unary_inserted") ==
        Lines{"1: a -> (-a)", "1: c -> (~c)", "1: b -> !b"});
}
