#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using redproof::mutants::test::Lines;
using redproof::mutants::test::made;

TEST_CASE("statements that change something are deleted, calls by an operator of their own", "[generate]") {
  std::string const source =
      "void g(int);\nvoid f(int& a, int (&r)[2]) {\n  a = 3;\n  ++a;\n  g(a);\n  if (a > 3) throw a;\n  for (int x : r) a += x;\n}\n";
  CHECK(made(source, "statement_deleted") ==
        Lines{"3: a = 3; -> ;", "4: ++a; -> ;", "6: throw a; -> ;", "7: for (int x : r) a += x; -> ;", "7: a += x; -> ;"});
  CHECK(made(source, "call_removed") == Lines{"5: g(a); -> ;"});
}

TEST_CASE("a deleted statement keeps the lines it took", "[generate]") {
  CHECK(made("void g(int, int);\nvoid f() {\n  g(1,\n    2);\n}\n", "call_removed") == Lines{"3: g(1,\n    2); -> ;\n"});
}

TEST_CASE("break and continue are exchanged, and a case falls through", "[generate]") {
  CHECK(made("void g();\nvoid f(int a) {\n  while (a > 0) {\n    if (a == 3) break;\n    if (a == 4) continue;\n    --a;\n  }\n"
             "  switch (a) { case 1: g(); break; default: g(); }\n}\n",
             "jump") == Lines{"4: break -> continue", "5: continue -> break", "8: break; -> ;"});
}

TEST_CASE("a counting loop stops one earlier, and any loop's body runs once", "[generate]") {
  std::string const source =
      "int f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i) s += i;\n  while (s > 9) {\n    --s;\n  }\n  return s;\n}\n";
  CHECK(made(source, "loop_bound") == Lines{"3: n -> n - 1"});
  CHECK(made("void g();\nvoid f(int n) {\n  while (n) if (--n) g();\n}\n", "loop_once") ==
        Lines{"3: if (--n) g(); -> { if (--n) g(); break; }"});
  CHECK(made(source, "loop_once") == Lines{"3: s += i; -> { s += i; break; }", "6: } ->  break; }"});
}
