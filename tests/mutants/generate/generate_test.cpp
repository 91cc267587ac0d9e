#include "mutants/driver/generate/generate.h"

#include <fmt/format.h>

#include <set>

#include "mutants/driver/plant/sha256.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/generate/sample.h"

using namespace redproof::mutants;
using redproof::mutants::test::generation_of;
using redproof::mutants::test::Lines;
using redproof::mutants::test::made;

TEST_CASE("every mutant changes its file, keeps its lines and differs from every other", "[generate]") {
  std::string const source =
      "#include <algorithm>\nint f(int a,\n      int b) {\n  int s = std::min(a,\n                   7) + b;\n"
      "  for (int i = 0; i < b && i != 3; ++i)\n    s += a * i;\n  return s > 0 ? s : -s;\n}\n";
  auto const generation = generation_of(source);
  std::set<std::string> texts{source};
  for (const Generated& one : generation.mutants) {
    auto const finding = generation.finding_of(one);
    REQUIRE(finding.files.size() == 1);
    const MutatedFile& file = finding.files[0];
    CHECK(texts.insert(file.after).second);
    CHECK(std::count(file.after.begin(), file.after.end(), '\n') == std::count(source.begin(), source.end(), '\n'));
    CHECK(file.before == source);
    CHECK(file.after_sha256 == sha256(file.after));
    CHECK(one.mutant.reds.empty());
  }
  CHECK(texts.size() > 40);
}

TEST_CASE("what a macro's body makes, what no compiler sees and directives are left alone", "[generate]") {
  CHECK(made("#define TWICE(x) ((x) + (x))\n#define FIVE 5\nint f(int a) { return TWICE(a) * FIVE; }\n", "arithmetic") ==
        Lines{"3: * -> /"});
  CHECK(made("#define TWICE(x) ((x) + (x))\nint f(int a) { return TWICE(a - 1); }\n", "arithmetic") == Lines{"2: - -> +"});
  CHECK(made("#define SUM(x, y) ((x) + (y))\nint f(int a) { return SUM(a, 1); }\n", "term_dropped").empty());
  CHECK(made("int f(int a) {\n#if 0\n  a += 1;\n#endif\n  return a;\n}\n", "assignment").empty());
  CHECK(made("void g(int, int);\nvoid f() {\n  g(1,\n#if 1\n    2\n#endif\n  );\n}\n", "call_removed").empty());
}

TEST_CASE("methods in their class, initialisers of members and variables", "[generate]") {
  std::string const source =
      "struct S {\n  explicit S(int a) : b_(a + 2) {}\n  int get() const { return b_ * 3; }\n  int b_ = 4;\n};\nint limit = 5 + 6;\n";
  CHECK(made(source, "arithmetic") == Lines{"2: + -> -", "3: * -> /", "6: + -> -"});
  CHECK(made(source, "constant").size() == 5 * 3);
  for (const Generated& one : generation_of(source, {"arithmetic"}).mutants)
    CHECK((one.function == "S::S" || one.function == "S::get" || one.function == "limit"));
}

TEST_CASE("CRLF, tabs, UTF-8 names and no newline at the end", "[generate]") {
  CHECK(made("int f(int \xC3\xA4) {\r\n\treturn \xC3\xA4 +\r\n\t\t2;\r\n}", "term_dropped") ==
        Lines{"2: \xC3\xA4 +\r\n\t\t2 -> \xC3\xA4\r\n", "2: \xC3\xA4 +\r\n\t\t2 -> 2\r\n"});
}

TEST_CASE("a header is mutated through a source, and what does not parse is broken and no empty list", "[generate]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "a.h", "#pragma once\ninline int f(int a) { return a + 1; }\n");
  test::write(folder.path() / "b.cpp", "#include \"a.h\"\nint g() { return f(2); }\n");
  test::write(folder.path() / "c.cpp", "int g() { return nowhere; }\n");
  test::write(folder.path() / "d.h", "inline int f(int a) { return a + 1; }\n");
  auto const entry = [&](const std::string& file) {
    return fmt::format(R"({{"directory":"{}","file":"{}","command":"g++ -std=c++20 -c {}"}})", folder.path().string(), file, file);
  };
  test::write(folder.path() / "db.json", "[" + entry("b.cpp") + "," + entry("c.cpp") + "]");
  auto const generation = generate({folder.path(), folder.path() / "db.json", {"."}, {"arithmetic"}, 2});
  REQUIRE(generation.mutants.size() == 1);
  CHECK(generation.mutants[0].path == "a.h");
  REQUIRE(generation.broken.size() == 2);
  CHECK(generation.broken[0].starts_with("c.cpp: "));
  CHECK(generation.broken[1].starts_with("d.h: no compile command reaches"));
}
