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

TEST_CASE("patch makes the mutant of the pristine file with it", "[plant]") {
  std::string before, after;
  for (int i = 0; i < 40; ++i) before += "line " + std::to_string(i) + "\n";
  after = before;
  for (const char* line : {"line 3", "line 8", "line 30"}) after.replace(after.find(line), 4, "LINE");
  test::TemporaryFolder const folder;
  test::write(folder.path() / "f", before);
  test::write(folder.path() / "d", unified_diff("f", before, after));
  redproof::gates::ProcessSpec spec;
  spec.argv = {"git", "apply", "-p1", "d"};
  spec.cwd = folder.path();
  CHECK(redproof::gates::run_process(spec).exit_code == 0);
  CHECK(test::read(folder.path() / "f") == after);
}
