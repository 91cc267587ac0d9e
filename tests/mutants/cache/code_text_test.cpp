#include "mutants/driver/cache/code_text.h"

#include "tests/catch.h"

using namespace redproof::mutants;
using Texts = std::vector<std::string>;

TEST_CASE("comments go from a code text, and lines and single spaces stay", "[cache]") {
  CHECK(code_text("int a;  // one\nint   b;\n") == "int a;\nint b;\n");
  CHECK(code_text("int a; /* one\ntwo */ int b;") == "int a;\nint b;");
  CHECK(code_text("f(a) f (a)") != code_text("f(a) f(a)"));
  CHECK(code_text("f /**/ (a)") == code_text("f (a)"));
  CHECK(code_text("int a;\n// more\nint b;") != code_text("int a;\nint b;"));
}

TEST_CASE("what looks like a comment in a literal stays", "[cache]") {
  for (const std::string literal : {"\"a // b\"", "\"a /* b */\"", "R\"x(a // b)x\"", "'/' /'/'", "\"\\\" // b\""})
    CHECK(code_text("x = " + literal + ";").find(literal) != std::string::npos);
  CHECK(code_text("int n = 1'000; // a\nint m = 2'0;") == "int n = 1'000;\nint m = 2'0;");
}

TEST_CASE("where a comment may end elsewhere than it seems the text is the source", "[cache]") {
  for (const std::string source :
       {"// one \\\ngoes on /* and\nint a; /* on */\n", "// one \\  \ntwo\n", "// what ?\?/\nint a;\n", "int a; /* open\n"})
    CHECK(code_text(source) == source);
}

TEST_CASE("a continued line is not two lines", "[cache]") {
  CHECK(code_text("#define A 1 \\\n+ 2\n") != code_text("#define A 1\n+ 2\n"));
  CHECK(directives_of(code_text("#define A 1 \\\n+ 2\nint a;\n#  if A // yes\n")) == Texts{"#define A 1 + 2", "# if A"});
}

TEST_CASE("includes are named in quotes or brackets, or computed", "[cache]") {
  Includes const found = includes_of(code_text("#include <a/b.h>\n# include \"c.h\" // d\n// #include \"e.h\"\n#include_next <f.h>\n"));
  CHECK(found.names == Texts{"a/b.h", "c.h", "f.h"});
  CHECK_FALSE(found.computed);
  CHECK(includes_of("#define NAME \"a.h\"\n#include NAME\n").computed);
}

TEST_CASE("files that are embedded, asked for or imported are seen", "[cache]") {
  for (const std::string code : {"#if __has_include(<a.h>)", "asm(\".incbin \\\"a\\\"\");", "#embed \"a\"", "import a;", "export module a;",
                                 "export import a;", "module;", "_Pragma(\"push_macro\")"})
    CHECK(reads_otherwise(code));
  CHECK_FALSE(reads_otherwise("#include <a.h>\nint important = 1;\nint module_of(int);\n"));
}
