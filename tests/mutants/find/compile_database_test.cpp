#include "mutants/driver/find/compile_database.h"

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using Words = std::vector<std::string>;

TEST_CASE("a command line is split as a shell would", "[find]") {
  CHECK(split_command("g++ -DX=\\\"a\\ b\\\" '-I/x y' \"-I/z \\\"w\\\"\"") == Words{"g++", "-DX=\"a b\"", "-I/x y", "-I/z \"w\""});
  CHECK(split_command("  a   b  ") == Words{"a", "b"});
  CHECK(split_command("a '' b") == Words{"a", "", "b"});
}

TEST_CASE("only flags that decide how a file parses are kept", "[find]") {
  Words const words = split_command(
      "/usr/bin/cmake -E env CCACHE_BASEDIR=/x ccache g++ -DA=1 -I inc -isystem /sys -Wall -Werror -O2 -fconcepts -mavx2 -std=gnu++20 -o "
      "a.o -MF "
      "a.d -c a.cpp");
  CHECK(parse_flags(words) == Words{"-DA=1", "-I", "inc", "-isystem", "/sys", "-mavx2", "-std=gnu++20", "-O1"});
}

TEST_CASE("of the levels of optimisation the last counts, and whether there is any", "[find]") {
  CHECK(parse_flags({"g++", "-O0", "-O3", "a.cpp"}) == Words{"-O1"});
  CHECK(parse_flags({"g++", "-O2", "-O0", "a.cpp"}) == Words{"-O0"});
  CHECK(parse_flags({"g++", "-Os", "a.cpp"}) == Words{"-Os"});
  CHECK(parse_flags({"g++", "-O2", "-std=c++20", "a.cpp"}) == parse_flags({"g++", "-O0", "-std=c++20", "-O3", "a.cpp"}));
}

TEST_CASE("a precompiled header decides nothing: only what the source itself includes is parsed", "[find]") {
  auto const words = split_command("g++ -Iinc -O2 -Winvalid-pch -include /b/x.dir/cmake_pch.hxx -include own.h -c a.cpp");
  CHECK(parse_flags(words) == Words{"-Iinc", "-include", "own.h", "-O1"});
}

TEST_CASE("a header is reached through a source that includes it, also indirectly", "[find]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "inc/deep.h", "int deep();\n");
  test::write(folder.path() / "inc/top.h", "#include \"deep.h\"\n");
  test::write(folder.path() / "a.cpp", "int a;\n");
  test::write(folder.path() / "b.cpp", "# include <top.h>\n");
  std::string const here = folder.path().string();
  test::write(folder.path() / "db.json", R"([{"directory":")" + here +
                                             R"(","file":"a.cpp","command":"g++ -Iinc -c a.cpp"},{"directory":")" + here +
                                             R"(","file":"b.cpp","arguments":["g++","-I","inc","-c","b.cpp"]}])");
  auto const database = CompileDatabase::read(folder.path() / "db.json");
  REQUIRE(database.find_through(folder.path() / "inc/deep.h") != nullptr);
  CHECK(database.find_through(folder.path() / "inc/deep.h")->file == folder.path() / "b.cpp");
  CHECK(database.find_through(folder.path() / "inc/none.h") == nullptr);
  CHECK(database.find(folder.path() / "a.cpp") != nullptr);
  CHECK(database.find(folder.path() / "c.cpp") == nullptr);
}

TEST_CASE("a database that is none is refused", "[find]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "db.json", R"([{"directory":"/x"}])");
  CHECK_THROWS_AS(CompileDatabase::read(folder.path() / "db.json"), redproof::gates::Refusal);
}

TEST_CASE("a database without any source of a tree is another tree's, and one without any source is nobody's", "[find]") {
  test::TemporaryFolder const folder;
  auto const foreign = [&](const std::string& entries) {
    test::write(folder.path() / "db.json", entries);
    return CompileDatabase::read(folder.path() / "db.json").foreign_source(folder.path() / "tree");
  };
  std::string const other = R"({"directory":"/other","file":"a.cpp","arguments":["g++","-c","a.cpp"]})";
  std::string const own = R"({"directory":")" + (folder.path() / "tree").string() + R"(","file":"a.cpp","arguments":["g++","-c","a.cpp"]})";
  CHECK(foreign("[" + other + "]") == "/other/a.cpp");
  CHECK(foreign("[" + other + "," + own + "]").empty());
  CHECK(foreign("[]").empty());
}
