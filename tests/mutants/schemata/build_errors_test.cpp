#include "mutants/driver/schemata/build_errors.h"

#include "tests/catch.h"
#include "tests/mutants/schemata/sample.h"

using namespace redproof::mutants;
using test::Sample;

TEST_CASE("the compiler's words name the mutants that do not compile, and only those", "[schemata]") {
  Sample sample("#include <vector>\nint f(int n) { return n; }\nint g(int n) { return n + 1; }\nint main() { return f(0) + g(-1); }\n",
                {{"return n;", "return m;"}, {"n + 1", "n + 2"}, {"return n + 1;", "std::vector<int> v = n; return 0;"}});
  std::string const log = sample.build_all();
  REQUIRE_FALSE(log.empty());
  auto const named = mutants_to_leave_out(log, sample.rewritten());
  REQUIRE(named.size() == 2);
  CHECK(named.at(1).find("was not declared") != std::string::npos);
  CHECK(named.contains(3));
}

TEST_CASE("an error in a template is charged to the mutant that required it", "[schemata]") {
  Sample sample("template <class T> T half(T t) { return t / 2; }\nint f(int n) { return half(n); }\nint main() { return f(0); }\n",
                {{"half(n)", "half(\"n\") != nullptr"}, {"return half(n)", "return half(n + 2)"}});
  auto const named = mutants_to_leave_out(sample.build_all(), sample.rewritten());
  REQUIRE(named.size() == 1);
  CHECK(named.contains(1));
}

TEST_CASE("an error elsewhere in a rewritten file leaves out all of the file, a stranger's error nothing", "[schemata]") {
  Sample sample("int f(int n) { return n; }\nint main() { return f(0); }\n", {{"return n", "return n + 1"}, {"return n;", "return 3;"}});
  REQUIRE(sample.build_all() == "");
  CHECK(mutants_to_leave_out("a.cpp:1:2: error: what\n", sample.rewritten()).size() == 2);
  CHECK(mutants_to_leave_out("/lab/a.cpp:1:2: error: what\n", sample.rewritten()).size() == 2);
  CHECK(mutants_to_leave_out("redproof-copy-0/a.cpp:1:2: error: what\n", sample.rewritten()).size() == 2);
  CHECK(mutants_to_leave_out("other.cpp:1:2: error: what\nld: error: undefined\n", sample.rewritten()).empty());
  for (const char* stranger : {"ba.cpp:1:2: error: what\n", "/lab/ba.cpp:1:2: error: what\n", "a.cpp.in:1:2: error: what\n"}) {
    CAPTURE(stranger);
    CHECK(mutants_to_leave_out(stranger, sample.rewritten()).empty());
  }
  CHECK(mutants_to_leave_out("redproof-mutant-1/a.cpp:1:2: warning: what\n", sample.rewritten()).empty());
}

TEST_CASE("what one command of the build required is not charged for another's error", "[schemata]") {
  Sample sample("int f(int n) { return n; }\nint main() { return f(0); }\n", {{"return n", "return n + 1"}, {"return n;", "return 3;"}});
  REQUIRE(sample.build_all() == "");
  std::string const error = "std.h:1:2: error: what\n";
  for (const std::string required :
       {"redproof-mutant-1/a.cpp:1:2: required from here\n", "redproof-copy-0/a.cpp:1:2: required from here\n"}) {
    CAPTURE(required);
    CHECK(mutants_to_leave_out(required + error, sample.rewritten()).contains(1));
    CHECK(mutants_to_leave_out(required + "FAILED: other.o\n" + error, sample.rewritten()).empty());
    CHECK(mutants_to_leave_out(required + "[2/9] Building other.o\n" + error, sample.rewritten()).empty());
    CHECK(mutants_to_leave_out(required + error + error, sample.rewritten()) == mutants_to_leave_out(required + error, sample.rewritten()));
  }
}

TEST_CASE("nvcc's words are understood, and those of the assembler that names a function", "[schemata]") {
  Sample sample("namespace n { int scale(int n) { return n; } }\nint main() { return n::scale(0); }\n",
                {{"return n;", "return n + 1;"}, {"n::scale(0)", "n::scale(1)"}});
  REQUIRE(sample.build_all() == "");
  Rewritten rewritten = sample.rewritten();
  rewritten.functions.at(0).on_device = true;
  auto const left_out = [&](const std::string& line) { return mutants_to_leave_out(line + "\n", rewritten); };
  CHECK(left_out("redproof-mutant-2/a.cpp(1): error: identifier \"x\" is undefined").size() == 1);
  CHECK(left_out("/lab/a.cpp(1): error: identifier \"x\" is undefined").size() == 2);
  CHECK(left_out("ba.cpp(1): error: identifier \"x\" is undefined").empty());
  std::string const too_much = "ptxas error   : Entry function '_ZN1n5scaleEi' uses too much shared data (0x10000 bytes, 0xc000 max)";
  REQUIRE(left_out(too_much).size() == 1);
  CHECK(left_out(too_much).at(1) == too_much);
  CHECK(left_out("ptxas error   : Entry function '_Z6scalesi' uses too much shared data").empty());
  CHECK(left_out("ptxas info    : Function properties for _ZN1n5scaleEi").empty());
}
