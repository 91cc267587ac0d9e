#include "mutants/driver/plant/diff.h"

#include "gates/runner/process.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

TEST_CASE("a diff shows three lines of context", "[plant]") {
  CHECK(unified_diff("a", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nX\n6\n") == "--- a/a\n+++ b/a\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+X\n 6\n");
  CHECK(unified_diff("a", "1\n", "1\n").empty());
  CHECK(unified_diff("a", "1\n2", "1\n3").find("-2\n\\ No newline at end of file\n+3\n\\ No newline at end of file\n") !=
        std::string::npos);
}

TEST_CASE("a name with spaces ends in a tab, and one with signs is quoted", "[plant]") {
  auto const head = [](const std::string& path) {
    std::string const diff = unified_diff(path, "1\n", "2\n");
    return diff.substr(0, diff.find("@@"));
  };
  CHECK(head("b c/d.cpp") == "--- a/b c/d.cpp\t\n+++ b/b c/d.cpp\t\n");
  CHECK(head("b \"c") == "--- \"a/b \\\"c\"\n+++ \"b/b \\\"c\"\n");
  CHECK(head("b\tc") == "--- \"a/b\\011c\"\n+++ \"b/b\\011c\"\n");
}

TEST_CASE("patch makes the mutant of the pristine file with it, however far apart its lines", "[plant]") {
  int const apart = GENERATE(range(1, 11));
  INFO(apart);
  std::string before, after;
  for (int i = 0; i < 40; ++i) {
    before += "line " + std::to_string(i) + "\n";
    after += (i == 3 || i == 3 + apart || i == 30 ? "LINE " : "line ") + std::to_string(i) + "\n";
  }
  test::TemporaryFolder const folder;
  test::write(folder.path() / "f", before);
  test::write(folder.path() / "d", unified_diff("f", before, after));
  redproof::gates::ProcessSpec spec;
  spec.argv = {"git", "apply", "-p1", "d"};
  spec.cwd = folder.path();
  CHECK(redproof::gates::run_process(spec).exit_code == 0);
  CHECK(test::read(folder.path() / "f") == after);
}
