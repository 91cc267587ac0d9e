#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::generation_of;
using redproof::mutants::test::Lines;
using redproof::mutants::test::made;

namespace {

// Of the statements of a function that has these variables at hand.
Lines moved(const std::string& statements) {
  return made(
      "void set(int&);\nvoid fill(int*, int);\nint sum(const int*, int);\nint value(int);\n[[noreturn]] void refuse(int);\n"
      "void on(int, void (*)(int)); enum class E { one, two }; void choose(E); void pick(E, int);\n"
      "struct Pair { int x, y; };\nstruct List { void add(int); int size() const; };\n"
      "void f(int a, int b, int i, int* p, int* q, float s, float t, bool on1, bool off1, bool off2, Pair u, Pair w, List& list, int "
      "(&r)[9]) { " +
          statements + " }\n",
      "statement_moved");
}

}  // namespace

TEST_CASE("two neighbouring statements are exchanged where one writes what the other reads", "[generate]") {
  CHECK(moved("a = 1; b = a;") == Lines{"9: a = 1; b = a; -> b = a; a = 1;"});
  CHECK(moved("b = a; a = 1;") == Lines{"9: b = a; a = 1; -> a = 1; b = a;"});
  CHECK(moved("++a; r[a] = b;") == Lines{"9: ++a; r[a] = b; -> r[a] = b; ++a;"});
  CHECK(moved("a >>= b; a <<= 2;") == Lines{"9: a >>= b; a <<= 2; -> a <<= 2; a >>= b;"});
  CHECK(moved("on1 &= off1; on1 |= off2;") == Lines{"9: on1 &= off1; on1 |= off2; -> on1 |= off2; on1 &= off1;"});
  CHECK(moved("s *= t; s /= 3;") == Lines{"9: s *= t; s /= 3; -> s /= 3; s *= t;"});
  CHECK(moved("a += b; a *= 2;") == Lines{"9: a += b; a *= 2; -> a *= 2; a += b;"});
  CHECK(moved("*p++ = a; *p++ = b;") == Lines{"9: *p++ = a; *p++ = b; -> *p++ = b; *p++ = a;"});
  CHECK(moved("u.x = 1; w = u;") == Lines{"9: u.x = 1; w = u; -> w = u; u.x = 1;"});
  CHECK(moved("p = q; p[1] = 2;") == Lines{"9: p = q; p[1] = 2; -> p[1] = 2; p = q;"});
  CHECK(moved("s += t; s += 1.5f;") == Lines{"9: s += t; s += 1.5f; -> s += 1.5f; s += t;"});
}

TEST_CASE("a call may write what it is given by reference or pointer, and the object that it is called for", "[generate]") {
  CHECK(moved("a = 1; set(a);") == Lines{"9: a = 1; set(a); -> set(a); a = 1;"});
  CHECK(moved("fill(p, 2); b = p[0];") == Lines{"9: fill(p, 2); b = p[0]; -> b = p[0]; fill(p, 2);"});
  CHECK(moved("fill(&a, 2); b = a;") == Lines{"9: fill(&a, 2); b = a; -> b = a; fill(&a, 2);"});
  CHECK(moved("fill(r, 2); b = sum(r, 3);") == Lines{"9: fill(r, 2); b = sum(r, 3); -> b = sum(r, 3); fill(r, 2);"});
  CHECK(moved("list.add(1); list.add(2);") == Lines{"9: list.add(1); list.add(2); -> list.add(2); list.add(1);"});
  CHECK(moved("list.add(1); b = list.size();") == Lines{"9: list.add(1); b = list.size(); -> b = list.size(); list.add(1);"});
  CHECK(made("struct S { int n; void grow(); int size() const; void f() { grow(); n = 2; size(); n = 3; } };\n", "statement_moved") ==
        Lines{"1: grow(); n = 2; -> n = 2; grow();", "1: n = 2; size(); -> size(); n = 2;", "1: size(); n = 3; -> n = 3; size();"});
}

TEST_CASE("statements whose order cannot matter stay", "[generate]") {
  for (const char* statements :
       {"a = 1; b = 2;", "u.x = 1; u.y = 2;", "r[0] = a; r[1] = b;", "r[0] = r[2]; r[1] = r[2];", "a += i; a -= b;", "++a; --a;",
        "a |= i; a |= b;", "a >>= i; a >>= b;", "a <<= i; a <<= b;", "a /= i; a /= b;", "p += a; p -= b;", "on1 &= off1; on1 &= off2;",
        "on1 |= off1; on1 |= off2;", "value(a); value(b);", "on(a, refuse); on(b, refuse);", "choose(E::one); pick(E::one, a);",
        "a = sum(p, i); b = sum(p, 2);", "*p = a; q = p;", "a = list.size(); b = list.size();"}) {
    INFO(statements);
    CHECK(moved(statements).empty());
  }
}

TEST_CASE("where the first would only undo the second, deleting the second says the same", "[generate]") {
  CHECK(moved("a = i; a = b;").empty());
  CHECK(moved("a = i; a += 2;").empty());
  CHECK(moved("u = w; u.x = 1;").empty());
  CHECK(moved("a = 1; a = value(a);").empty());
  CHECK(moved("a = b; b = 0;") == Lines{"9: a = b; b = 0; -> b = 0; a = b;"});
}

TEST_CASE("declarations, jumps, logging and what does not stand in one block stay where they are", "[generate]") {
  for (const char* statements :
       {"int c = 1; c = c + a; (void)c;", "a = 1; return;", "while (b) { a = 1; break; }", "a = 1; refuse(a);", "a = 1; if (a) set(b);",
        "if (b) a = 1; b = a;", "switch (b) { case 1: a = 1; b = a; }", "a = 1; ; b = a;", "a = 1; { b = a; }", "a = 1; throw a;"}) {
    INFO(statements);
    CHECK(moved(statements).empty());
  }
  CHECK(made("int printf(const char*, ...);\nvoid f(int a) { a = 1; printf(\"%d\", a); a = 2; }\n", "statement_moved").empty());
  CHECK(made("#define LATER(x) x = 2\nvoid f(int a, int b) { a = b; LATER(b); }\n", "statement_moved").empty());
}

TEST_CASE("comments and lines between two statements stay where they are, and a directive keeps both", "[generate]") {
  CHECK(made("void f(int a, int b) {\n  a =\n    1;  // first\n\n  b = a;\n  (void)b;\n}\n", "statement_moved") ==
        Lines{"2: a =\n    1;  // first\n\n  b = a; -> b = a;  // first\n\n  a =\n    1;"});
  CHECK(made("void f(int a, int b) {\n  a = 1;\n#define X\n  b = a;\n  (void)b;\n}\n", "statement_moved").empty());
}

TEST_CASE("a skip comment at either of two exchanged statements speaks of both", "[generate]") {
  for (const char* source : {"void f(int a, int b) {\n  a = 1;  // mutate: skip why\n  b = a;\n  (void)b;\n}\n",
                             "void f(int a, int b) {\n  a = 1;\n  b = a;  // mutate: skip(statement_moved) why\n  (void)b;\n}\n"}) {
    auto const generation = generation_of(source, {"statement_moved"});
    REQUIRE(generation.mutants.size() == 1);
    CHECK(generation.mutants.front().mutant.suppressed == "why");
    CHECK(generation.lost.empty());
  }
}
