#include "mutants/driver/schemata/rewrite.h"

#include "tests/catch.h"
#include "tests/mutants/schemata/sample.h"

using namespace redproof::mutants;
using test::Sample;

TEST_CASE("what changes more than the body of a function is left out, with the reason", "[schemata]") {
  Sample sample(
      "int limit = 3;\nint f(int n = 1) { return n + limit; }\nstruct S { S() : n(4) { ++n; } int n; };\n"
      "int g() try { return 6; } catch (...) { return 7; }\nint main() { return f() + S().n + g() - 15; }\n",
      {{"limit = 3", "limit = 4"}, {"int n = 1", "int n = 2"}, {"n(4)", "n(5)"}, {"return 6", "return 8"}, {"n + limit", "n - limit"}});
  REQUIRE(sample.build_all() == "");
  auto const& left_out = sample.rewritten().left_out;
  REQUIRE(left_out.size() == 4);
  CHECK(left_out.at(1) == "it changes more than the body of a function");
  CHECK(left_out.at(2) == "it changes more than the body of a function");
  CHECK(left_out.at(3) == "it changes more than the body of a function");
  CHECK(left_out.at(4) == "it changes more than the body of a function");
  CHECK(sample.run_all(5).output == sample.run_alone(5).output);
  CHECK(sample.run_all(5).exit_code == sample.run_alone(5).exit_code);
}

TEST_CASE("lines keep their numbers and a byte-order mark stays first", "[schemata]") {
  std::string const text =
      "\xEF\xBB\xBF#include <cstdio>\nint f() { return 1; }\nint main() {\n  std::printf(\"%d\\n\", __LINE__ + f());\n}\n";
  Sample sample(text, {{"return 1", "return 2"}});
  REQUIRE(sample.build_all() == "");
  CHECK(sample.run_all(-1).output == "5\n");
  CHECK(sample.run_all(1).output == "6\n");
  CHECK(sample.rewritten().files.at(0).after.starts_with("\xEF\xBB\xBF#include"));
}

TEST_CASE("a function that the compiler may have run is marked", "[schemata]") {
  Sample sample("constexpr int f(int n) { return n + 1; }\nint g(int n) { return n + 2; }\nint main() { return f(1) + g(1); }\n",
                {{"n + 1", "n + 3"}, {"n + 2", "n + 4"}});
  REQUIRE(sample.build_all() == "");
  REQUIRE(sample.rewritten().functions.size() == 2);
  CHECK(sample.rewritten().functions[0].is_constexpr);
  CHECK_FALSE(sample.rewritten().functions[1].is_constexpr);
}

TEST_CASE("one mutant of several functions is active in all of them, and one that reaches over two bodies is left out", "[schemata]") {
  Sample sample("int f() { return 1; }\nint g() { return 2; }\nint main() { return f() * 10 + g(); }\n",
                {{"return 1", "return 3", {{"return 2", "return 4"}}}, {"1; }\nint g() { return 2", "5; }\nint g() { return 6"}});
  REQUIRE(sample.build_all() == "");
  CHECK(sample.rewritten().functions_of.at(1).size() == 2);
  CHECK(sample.run_all(-1).exit_code == 12);
  CHECK(sample.run_all(1).exit_code == 34);
  CHECK(sample.rewritten().left_out.at(2) == "it changes more than the body of a function");
}
