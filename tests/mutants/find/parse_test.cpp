#include "mutants/driver/find/parse.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

TEST_CASE("a parse with any error is broken, never an empty tree", "[find]") {
  CHECK(test::edited("int f() { return undeclared; }\n", R"j({"function":"f","replace_literal":{"literal":"1","with":"2"}})j")
            .starts_with("broken: "));
  CHECK(
      test::edited("#include \"nowhere.h\"\nint f() { return 1; }\n", R"j({"function":"f","replace_literal":{"literal":"1","with":"2"}})j")
          .find("nowhere.h") != std::string::npos);
}

TEST_CASE("warnings and the system's own headers are no errors", "[find]") {
  CHECK(test::edited("#include <immintrin.h>\n#include <stddef.h>\n#include <vector>\nint f(int unused) { return 1; }\n",
                     R"j({"function":"f","replace_literal":{"literal":"1","with":"2"}})j")
            .find("return 2") != std::string::npos);
}

TEST_CASE("several files of one unit come from one parse, and a file that it does not include is broken", "[find]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "a.h", "#pragma once\ninline int f() { return 1; }\n");
  test::write(folder.path() / "other.h", "int other();\n");
  test::write(folder.path() / "a.cpp", "#include \"a.h\"\nint g() { return f(); }\n");
  auto const files = parse({folder.path(), {folder.path(), folder.path() / "a.cpp", {}}, {"a.h", "a.cpp", "other.h"}, {"f"}});
  REQUIRE(files.size() == 3);
  CHECK(files[0].scopes.at(0).name == "f");
  CHECK(files[1].scopes.at(0).name == "g");
  CHECK(files[2].broken.find("does not include other.h") != std::string::npos);
}

TEST_CASE("a scope is named by its last parts", "[find]") {
  CHECK(names_scope("a::b::f", "f"));
  CHECK(names_scope("a::b::f", "b::f"));
  CHECK(names_scope("f", "f"));
  CHECK_FALSE(names_scope("a::bf", "f"));
  CHECK_FALSE(names_scope("f", "a::f"));
}
