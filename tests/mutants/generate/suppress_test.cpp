#include "mutants/driver/generate/suppress.h"

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using namespace redproof::mutants;
using redproof::mutants::test::generation_of;

namespace {

// "line: reason" of every suppressed mutant, each once.
std::vector<std::string> reasons(const Generation& generation) {
  std::vector<std::string> lines;
  for (const Generated& one : generation.mutants) {
    std::string const line = std::to_string(one.line) + ": " + one.mutant.suppressed;
    if (!one.mutant.suppressed.empty() && (lines.empty() || lines.back() != line)) lines.push_back(line);
  }
  return lines;
}

std::size_t alive(const Generation& generation) {
  std::size_t count = 0;
  for (const Generated& one : generation.mutants) count += one.mutant.suppressed.empty() ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("messages, assertions, capacity and exceptions' texts are arid", "[generate]") {
  std::string const source =
      "#include <cassert>\n#include <cstdio>\n#include <iostream>\n#include <stdexcept>\n#include <vector>\n"
      "void f(std::vector<int>& v, int a) {\n"
      "  std::printf(\"%d\", a + 1);\n"
      "  std::cout << a + 1;\n"
      "  v.reserve(7);\n"
      "  assert(a > 3);\n"
      "  if (a) throw std::runtime_error(std::to_string(a + 1));\n"
      "}\n";
  CHECK(reasons(generation_of(source)) == std::vector<std::string>{"7: arid: printing", "8: arid: printing", "9: arid: capacity",
                                                                   "10: arid: an assertion", "11: arid: the text of an exception"});
}

TEST_CASE("functions that only make text for people are arid, and only those", "[generate]") {
  std::string const head =
      "#include <ostream>\n#include <string>\nstruct S { int n; const char* what() const; std::string debug_string() const; };\n";
  for (const char* function : {"const char* S::what() const { return n > 3 ? \"a\" : \"b\"; }",
                               "std::string S::debug_string() const { return n > 3 ? \"a\" : \"b\"; }",
                               "std::string debug_string(int n) { return n > 3 ? \"a\" : \"b\"; }",
                               "std::ostream& operator<<(std::ostream& out, const S& s) { if (s.n > 3) out.flush(); return out; }"}) {
    CAPTURE(function);
    auto const generation = generation_of(head + function + "\n");
    CHECK(reasons(generation) == std::vector<std::string>{"4: arid: text for people"});
    CHECK(alive(generation) == 0);
  }
  for (const char* function : {"int no_debug_string(int n) { return n > 3; }", "S operator<<(S s, int n) { return S{s.n << n}; }"}) {
    CAPTURE(function);
    CHECK(reasons(generation_of(head + function + "\n")).empty());
  }
}

TEST_CASE("the throw itself is no message", "[generate]") {
  auto const generation = generation_of("void f(int a) { if (a) throw 1; }\n", {"statement_deleted"});
  REQUIRE(generation.mutants.size() == 1);
  CHECK(generation.mutants[0].mutant.suppressed.empty());
}

TEST_CASE("a comment behind code speaks for its line", "[generate]") {
  auto const generation = generation_of("int f(int a) {\n  int b = a + 1;  // mutate: skip rounding only\n  return b;\n}\n");
  CHECK(reasons(generation) == std::vector<std::string>{"2: rounding only"});
  CHECK(generation.lost.empty());
  CHECK(alive(generation) > 0);
}

TEST_CASE("a comment on its own line speaks for the statement, block or function that follows", "[generate]") {
  auto const statement =
      generation_of("void f(int& a) {\n  // mutate: skip a cache\n  if (a) {\n    a = 1;\n  }\n  a = 2;\n}\n", {"statement_deleted"});
  REQUIRE(statement.mutants.size() == 2);
  CHECK(statement.mutants[0].mutant.suppressed == "a cache");
  CHECK(statement.mutants[1].mutant.suppressed.empty());
  auto const whole =
      generation_of("void f(int& a, int b) {\n  // mutate: skip a cache\n  a = b +\n      3;\n  a = b + 4;\n}\n", {"arithmetic"});
  REQUIRE(whole.mutants.size() == 2);
  CHECK(whole.mutants[0].mutant.suppressed == "a cache");
  CHECK(whole.mutants[1].mutant.suppressed.empty());
  for (const char* attribute : {"", "[[nodiscard]] ", "[[nodiscard, gnu::cold]] ", "[[nodiscard]] [[gnu::cold]] "}) {
    CAPTURE(attribute);
    auto const function = generation_of("// mutate: skip shown to people\n" + std::string(attribute) +
                                        "int f(int a) {\n  return a + 1;\n}\nint g(int a) { return a; }\n");
    CHECK(function.lost.empty());
    CHECK(reasons(function) == std::vector<std::string>{"3: shown to people"});
    CHECK(alive(function) > 0);
  }
  auto const apart = generation_of("// mutate: skip shown to people\n[[nodiscard]]\nint f(int a) {\n  return a + 1;\n}\n");
  CHECK(apart.lost.empty());
  CHECK(reasons(apart) == std::vector<std::string>{"4: shown to people"});
}

TEST_CASE("a comment that names operators speaks of these alone", "[generate]") {
  for (const char* comment : {"// mutate: skip(arithmetic) why", "// mutate: skip( return_value , arithmetic ): why"}) {
    CAPTURE(comment);
    auto const generation = generation_of(std::string("int f(int a) {\n  return a + 1;  ") + comment + "\n}\n", {"arithmetic", "constant"});
    CHECK(generation.lost.empty());
    CHECK(reasons(generation) == std::vector<std::string>{"2: why"});
    for (const Generated& one : generation.mutants) CHECK(one.mutant.suppressed.empty() == (one.operator_name != "arithmetic"));
    CHECK(alive(generation) > 0);
  }
  CHECK(generation_of("int f(int a) {\n  return a;  // mutate: skip(shift) why\n}\n").lost.size() == 1);
  auto const named = generation_of("int f(int a, int b) {\n  return a | b;  // mutate: skip(bitwise `^`) disjoint\n}\n", {"bitwise"});
  REQUIRE(named.mutants.size() == 3);
  CHECK(named.lost.empty());
  CHECK(alive(named) == 2);
  CHECK(reasons(named) == std::vector<std::string>{"2: disjoint"});
  CHECK(generation_of("int f(int a, int b) {\n  return a | b;  // mutate: skip(bitwise `^`, shift) why\n}\n").lost.size() == 1);
  auto const vain = generation_of("int f(int a, int b) {\n  return a | b;  // mutate: skip(bitwise `&`) why\n}\n");
  CHECK(vain.lost == std::vector<std::string>{"a.cpp:2: `mutate: skip` suppresses nothing of bitwise `&` (why)"});
  auto const of = [](const std::string& comment) { return "int f() {\n  return 1;  " + comment + "\n}\n"; };
  CHECK_THROWS_WITH(generation_of(of("// mutate: skip(arithmetics) why")), "a.cpp:2: `mutate: skip` names no operator: `arithmetics`");
  CHECK_THROWS_WITH(generation_of(of("// mutate: skip() why")), "a.cpp:2: `mutate: skip` names no operator: ``");
  CHECK_THROWS_WITH(generation_of(of("// mutate: skip(shift why")), "a.cpp:2: `mutate: skip` has no `)`");
  CHECK_THROWS_WITH(generation_of(of("// mutate: skip(shift `<<) why")), "a.cpp:2: `mutate: skip` has no second '`'");
  CHECK_THROWS_WITH(generation_of(of("// mutate: skip(shift `<<` why) why")), "a.cpp:2: `mutate: skip` has no `)`");
  CHECK_THROWS_WITH(generation_of(of("// mutate: skip(shift)")), "a.cpp:2: `mutate: skip` needs a reason");
}

TEST_CASE("a skip without a reason is refused, in text it is no comment", "[generate]") {
  CHECK_THROWS_WITH(generation_of("int f() {\n  return 1;  // mutate: skip\n}\n"), "a.cpp:2: `mutate: skip` needs a reason");
  CHECK(generation_of("const char* f() { return \"// mutate: skip\"; }\n").lost.empty());
}

TEST_CASE("a skip that another comment quotes is none", "[generate]") {
  for (const char* comment :
       {"// as by // mutate: skip why", "/* // mutate: skip why */", "/*\n// mutate: skip why\n*/", "// // mutate: skip"}) {
    CAPTURE(comment);
    std::string const beside = std::string("int f(int a) {\n  return a + 1;  ") + comment + "\n}\n";
    std::string const above = std::string("int f(int a) {\n  ") + comment + "\n  return a + 1;\n}\n";
    for (const std::string& source : {beside, above}) {
      Generation generation;
      CHECK_NOTHROW(generation = generation_of(source));
      CHECK(reasons(generation).empty());
      CHECK(generation.lost.empty());
    }
  }
  CHECK(reasons(generation_of("int f(int a) {\n  return a + 1;  /* one */ // mutate: skip why\n}\n")) ==
        std::vector<std::string>{"2: why"});
}

TEST_CASE("a comment that suppresses nothing is reported, whatever operators are asked for", "[generate]") {
  auto const lost = generation_of("int f(int a) { return a + 1; }\n\n// mutate: skip nothing follows\n").lost;
  CHECK(lost == std::vector<std::string>{"a.cpp:3: `mutate: skip` suppresses nothing (nothing follows)"});
  CHECK(generation_of("int f(int a) {\n  return a + 1;  // mutate: skip why\n}\n", {"shift"}).lost.empty());
}
