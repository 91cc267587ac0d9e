#include "mutants/driver/select/diff_paths.h"

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("a path is read as git quotes it, or plain up to a tab", "[select]") {
  CHECK(read_path("b/a b.cpp\tdate").path == "b/a b.cpp");
  CHECK(read_path(R"("b/caf\303\251 \"x\"\t\\.cpp" rest)").path == "b/caf\xc3\xa9 \"x\"\t\\.cpp");
  CHECK(read_path(R"("b/\a\b\f\n\r\t\v")").path == "b/\a\b\f\n\r\t\v");
  CHECK(read_path(R"("b/x" rest)").length == 5);
  CHECK_FALSE(read_path(R"("b/x)").readable);
  CHECK_FALSE(read_path(R"("b/\q")").readable);
  CHECK_FALSE(read_path(R"("b/\777")").readable);
}

TEST_CASE("the two sides' prefixes go, and names without them stay", "[select]") {
  using Names = std::pair<std::string, std::string>;
  CHECK(without_prefixes("a/x", "b/y") == Names("x", "y"));
  // What git writes by diff.mnemonicPrefix, of commits, objects, the index and the working tree, and with --no-index.
  for (const char* sides : {"iw", "ci", "cw", "ow", "12"}) {
    CAPTURE(sides);
    CHECK(without_prefixes(std::string(1, sides[0]) + "/x", std::string(1, sides[1]) + "/x") == Names("x", "x"));
  }
  CHECK(without_prefixes("a/x", "a/x") == Names("a/x", "a/x"));
  CHECK(without_prefixes("src/x", "src/x") == Names("src/x", "src/x"));
  CHECK(without_prefixes("/dev/null", "b/x") == Names("", "x"));
  CHECK(without_prefixes("a/x", "/dev/null") == Names("x", ""));
}

TEST_CASE("git's own line names a file where both sides agree", "[select]") {
  CHECK(name_of_git_line("a/x y b/x y") == "x y");
  CHECK(name_of_git_line(R"("a/\303\251" "b/\303\251")") == "\xc3\xa9");
  CHECK(name_of_git_line("a/x b/y").empty());
  CHECK(name_of_git_line("a/x b/yz").empty());
  CHECK(name_of_git_line(R"("a/x)").empty());
}
