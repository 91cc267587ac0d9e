#include "mutants/driver/find/edits.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using test::edited;

TEST_CASE("a text edit needs exactly one place", "[find]") {
  CHECK(edited("a = 1;\nb = 2;\n", R"j({"text":{"find":"b = 2","replace":"b = 3"}})j") == "a = 1;\nb = 3;\n");
  CHECK(edited("a = 1;\n", R"j({"text":{"find":"c","replace":"d"}})j").starts_with("stale: `c` is nowhere"));
  CHECK(edited("a\nb\na\n", R"j({"text":{"find":"a","replace":"d"}})j") == "stale: `a` is at two places of a.cpp: lines 1 and 3");
  CHECK(edited("aaa\n", R"j({"text":{"find":"aa","replace":"bb"}})j").starts_with("stale: `aa` is at two places"));
}

TEST_CASE("an edit that changes nothing is stale", "[find]") {
  CHECK(edited("a = 1;\n", R"j({"text":{"find":"a","replace":"a"}})j") == "stale: it changes nothing");
}

TEST_CASE("the number of lines stays", "[find]") {
  CHECK(edited("a\nb\nc\n", R"j({"text":{"find":"a\nb","replace":"x"}})j") == "x\n\nc\n");
  CHECK(edited("a\n", R"j({"text":{"find":"a","replace":"x\ny"}})j") == "stale: it changes the number of lines from 1 to 2");
}

TEST_CASE("a file with CRLF keeps them, a file without a final line break stays without", "[find]") {
  CHECK(edited("a\r\nb\r\nc\r\n", R"j({"text":{"find":"a\nb","replace":"x\ny"}})j") == "x\r\ny\r\nc\r\n");
  CHECK(edited("int f(int k) {\r\n  return k +\r\n    1;\r\n}\r\n",
               R"j({"function":"f","replace_expression":{"expression":"k + 1","with":"k"}})j") ==
        "int f(int k) {\r\n  return k\r\n;\r\n}\r\n");
  CHECK(edited("int f() { return 1; }", R"j({"function":"f","replace_literal":{"literal":"1","with":"2"}})j") == "int f() { return 2; }");
}

TEST_CASE("an edit in the body of a macro is never guessed", "[find]") {
  std::string const source = "#define TWICE(x) ((x) + (x))\nint f(int k) { return TWICE(k * 3); }\n";
  CHECK(edited(source, R"j({"function":"f","replace_literal":{"literal":"3","with":"4"}})j") ==
        "#define TWICE(x) ((x) + (x))\nint f(int k) { return TWICE(k * 4); }\n");
  CHECK(edited(source, R"j({"function":"f","replace_expression":{"expression":"(k * 3) + (k * 3)","with":"0"}})j").starts_with("stale"));
}

TEST_CASE("replacements that overlap are stale", "[find]") {
  CHECK_THROWS_AS(apply_all("abcdef", {{{0, 3}, "x"}, {{2, 4}, "y"}}), Stale);
  CHECK(apply_all("abcdef", {{{3, 4}, "y"}, {{0, 1}, "x"}}) == "xbcyef");
}

TEST_CASE("UTF-8 names and text before the edit do not shift it", "[find]") {
  CHECK(edited("// größer\nint größe(int länge) { return länge * 2; }\n",
               R"j({"function":"größe","replace_literal":{"literal":"2","with":"3"}})j") ==
        "// größer\nint größe(int länge) { return länge * 3; }\n");
}
