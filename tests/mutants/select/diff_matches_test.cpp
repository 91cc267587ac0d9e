#include <filesystem>

#include "gates/runner/exit_code.h"
#include "mutants/driver/select/diff.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

constexpr const char* head = "diff --git a/f b/f\n--- a/f\n+++ b/f\n";

std::string why_not(const test::TemporaryFolder& folder, const std::string& diff) {
  try {
    check_matches(parse_diff(diff), folder.path());
  } catch (const DiffError& error) {
    CHECK(error.exit_code == redproof::gates::exit_diff_differs);
    return error.what();
  }
  return "matches";
}

}  // namespace

TEST_CASE("the new side has to stand in the tree, line by line", "[select]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "f", "one\nTWO\nthree\n");
  CHECK(why_not(folder, std::string(head) + "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n") == "matches");
  CHECK(why_not(folder, std::string(head) + "@@ -1,2 +1,2 @@\r\n one\r\n-two\r\n+TWO\r\n") == "matches");
  CHECK_THAT(why_not(folder, std::string(head) + "@@ -1,2 +1,2 @@\n one\n-TWO\n+two\n"), ContainsSubstring("f: line 2 is another"));
  CHECK_THAT(why_not(folder, std::string(head) + "@@ -9 +9 @@\n-x\n+TWO\n"), ContainsSubstring("has no line 9"));
  CHECK_THAT(why_not(folder, std::string(head) + "@@ -3 +3 @@\n-x\n+three\n\\ No newline at end of file\n"),
             ContainsSubstring("without a line break"));
}

TEST_CASE("files that the diff makes, deletes or moves have to be so in the tree", "[select]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "f", "one\ntwo\n");
  std::filesystem::create_symlink("target", folder.path() / "link");
  CHECK_THAT(why_not(folder, "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"),
             ContainsSubstring("f: is deleted in the diff and still there"));
  CHECK(why_not(folder, "--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n") == "matches");
  CHECK_THAT(why_not(folder, "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n"), ContainsSubstring("g: is not there"));
  CHECK_THAT(why_not(folder, "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+one\n"), ContainsSubstring("is new with 1 lines and has 2"));
  CHECK_THAT(why_not(folder, "diff --git a/f b/f\nnew file mode 100644\n"), ContainsSubstring("is new with 0 lines and has 2"));
  CHECK(why_not(folder, "diff --git a/e b/f\nsimilarity index 100%\nrename from e\nrename to f\n") == "matches");
  CHECK(why_not(folder, "--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n") == "matches");
  CHECK_THAT(why_not(folder, "--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+elsewhere\n\\ No newline at end of file\n"),
             ContainsSubstring("line 1 is another"));
  // Git writes a file that became a link as one that is deleted and one that is new.
  CHECK(why_not(folder,
                "--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+target\n\\ No newline at "
                "end of file\n") == "matches");
}

TEST_CASE("a file that a folder's link leads out of the root to is never read", "[select]") {
  test::TemporaryFolder const folder, outside;
  test::write(outside.path() / "f", "one\n");
  std::filesystem::create_symlink(outside.path(), folder.path() / "out");
  CHECK_THAT(why_not(folder, "--- a/out/f\n+++ b/out/f\n@@ -1 +1 @@\n-x\n+one\n"), ContainsSubstring("lies outside the root"));
}
