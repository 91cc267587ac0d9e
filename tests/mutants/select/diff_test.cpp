#include "mutants/driver/select/diff.h"

#include "gates/runner/exit_code.h"
#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

std::string why_unread(const std::string& text) {
  try {
    parse_diff(text);
  } catch (const DiffError& error) {
    CHECK(error.exit_code == redproof::gates::exit_diff_unread);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "read";
}

FileDiff only(const std::string& text) {
  Diff const diff = parse_diff(text);
  REQUIRE(diff.size() == 1);
  return diff.front();
}

// Each as FIRST-LAST, or FIRST|LAST for a gap.
std::string touched(const FileDiff& file) {
  std::string text;
  for (const TouchedLines& lines : file.touched)
    text += (text.empty() ? "" : " ") + std::to_string(lines.first) + (lines.gap ? '|' : '-') + std::to_string(lines.last);
  return text;
}

}  // namespace

TEST_CASE("changed lines are those of the new side, and removed ones the gap they leave", "[select]") {
  FileDiff const file = only(
      "diff --git a/f.cpp b/f.cpp\nindex 1..2 100644\n--- a/f.cpp\n+++ b/f.cpp\n"
      "@@ -1,5 +1,5 @@ int f() {\n one\n-two\n+TWO\n three\n-four\n five\n+six\n@@ -20,2 +20,0 @@\n-x\n-y\n");
  CHECK(file.before == "f.cpp");
  CHECK(file.after == "f.cpp");
  CHECK(touched(file) == "2-2 3|4 5-5 20|21");
  CHECK(file.lines.size() == 5);
  CHECK(file.lines[1].number == 2);
  CHECK(file.lines[1].text == "TWO");
}

TEST_CASE("renames, modes, new, deleted, empty and binary files are read", "[select]") {
  Diff const diff = parse_diff(
      "From 1234\nSubject: text before\n---\n f | 1 +\n\n"
      "diff --git a/old name.cpp b/new.cpp\nsimilarity index 100%\nrename from old name.cpp\nrename to new.cpp\n"
      "diff --git a/run me.sh b/run me.sh\nold mode 100644\nnew mode 100755\n"
      "diff --git a/empty b/empty\nnew file mode 100644\nindex 000..e69\n"
      "diff --git a/gone b/gone\ndeleted file mode 100644\nindex e69..000\n"
      "diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n"
      "diff --git a/q.bin b/q.bin\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ\n\nliteral 1\nIcmZ\n\n"
      "diff --git a/n.cpp b/n.cpp\nnew file mode 100644\n--- /dev/null\n+++ b/n.cpp\n@@ -0,0 +1 @@\n+x\n"
      "diff --git a/d.cpp b/d.cpp\ndeleted file mode 100644\n--- a/d.cpp\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n-- \n2.39\n");
  REQUIRE(diff.size() == 8);
  CHECK(diff[0].before == "old name.cpp");
  CHECK(diff[0].after == "new.cpp");
  CHECK(diff[0].touched.empty());
  CHECK(diff[1].after == "run me.sh");
  CHECK(diff[2].created);
  CHECK(diff[2].before.empty());
  CHECK(diff[3].after.empty());
  CHECK(diff[3].before == "gone");
  CHECK(diff[4].opaque);
  CHECK(diff[5].opaque);
  CHECK(diff[5].touched.size() == 1);
  CHECK(touched(diff[6]) == "1-1");
  CHECK(diff[6].created);
  CHECK(diff[7].after.empty());
  CHECK(paths_of(diff).contains("old name.cpp"));
  CHECK_FALSE(paths_of(diff).contains(""));
}

TEST_CASE("a copy is named by both of its sides, and a rewritten file is one file", "[select]") {
  FileDiff const copy = only("diff --git a/x.cpp b/y.cpp\nsimilarity index 100%\ncopy from x.cpp\ncopy to y.cpp\n");
  CHECK(copy.before == "x.cpp");
  CHECK(copy.after == "y.cpp");
  Diff const rewritten =
      parse_diff("diff --git a/r.cpp b/r.cpp\ndissimilarity index 90%\nindex 1..2 100644\n--- a/r.cpp\n+++ b/r.cpp\n@@ -1 +1 @@\n-x\n+y\n");
  CHECK(rewritten.size() == 1);
  CHECK(touched(rewritten.front()) == "1-1");
}

TEST_CASE("a diff of other tools, with line ends of other systems, is read", "[select]") {
  FileDiff const plain = only("--- src/a.cpp\t2026-01-01\n+++ src/a.cpp\t2026-01-02\n@@ -1 +1,2 @@\n a\n+b\n");
  CHECK(plain.after == "src/a.cpp");
  CHECK(touched(plain) == "2-2");
  FileDiff const windows = only("--- a/a.cpp\r\n+++ b/a.cpp\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n\\ No newline at end of file\r\n");
  CHECK(windows.after == "a.cpp");
  CHECK(windows.lines.at(0).ends_short);
  CHECK(parse_diff("").empty());
  CHECK(parse_diff(" \n\r\n").empty());
}

TEST_CASE("a side without a last line break is told from the other", "[select]") {
  FileDiff const gains = only("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  CHECK_FALSE(gains.lines.at(0).ends_short);
  FileDiff const loses = only("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+x\n\\ No newline at end of file\n");
  CHECK(loses.lines.at(0).ends_short);
}

TEST_CASE("a diff that cannot be read is refused by its line", "[select]") {
  CHECK_THAT(why_unread("hello\n"), ContainsSubstring("no file in it"));
  CHECK_THAT(why_unread("--- a/f\n+++ b/f\n"), ContainsSubstring("a file without a hunk"));
  CHECK_THAT(why_unread("--- a/f\n+++ b/f\n@@ -1 +1 @\n-x\n+y\n"), ContainsSubstring("line 3: no hunk's head"));
  CHECK_THAT(why_unread("--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-x\n"), ContainsSubstring("ends inside a hunk"));
  CHECK_THAT(why_unread("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n+z\n"), ContainsSubstring("line 6: a hunk whose lines"));
  CHECK_THAT(why_unread("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n*y\n"), ContainsSubstring("line 5: a hunk whose lines"));
  CHECK_THAT(why_unread("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n x\n\\ No newline at end of file\n y\n"),
             ContainsSubstring("behind the last one"));
  CHECK_THAT(why_unread("--- a/f\n+++ b/f\n@@ -1 +99999999999999999999 @@\n-x\n+y\n"), ContainsSubstring("no hunk's head"));
  CHECK_THAT(why_unread("--- a/../f\n+++ b/../f\n@@ -1 +1 @@\n-x\n+y\n"), ContainsSubstring("no path inside a project"));
  CHECK_THAT(why_unread("--- /etc/f\n+++ /etc/f\n@@ -1 +1 @@\n-x\n+y\n"), ContainsSubstring("no path inside a project"));
  CHECK_THAT(why_unread("--- \"a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n"), ContainsSubstring("quoted path"));
  CHECK_THAT(why_unread("diff --git a/x b/y\nold mode 1\nnew mode 2\n"), ContainsSubstring("a file without a name"));
  CHECK_THAT(why_unread("diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n"), ContainsSubstring("combined diff"));
  CHECK_THAT(why_unread("@@ -1 +1 @@\n-x\n+y\n"), ContainsSubstring("a hunk of no file"));
}
