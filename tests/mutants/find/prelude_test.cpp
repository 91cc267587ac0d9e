#include "mutants/driver/find/prelude.h"

#include <string>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

constexpr const char* ordinary =
    "#include <string>\n#include <vector>\nstd::size_t f(const std::vector<std::string>& v) { return v.size() + 1; }\n";

struct Sources {
  test::TemporaryFolder folder;
  std::vector<ParseRequest> units;

  void add(const std::string& name, const std::string& text) {
    test::write(folder.path() / name, text);
    ParseRequest unit;
    unit.root = folder.path();
    unit.command = {folder.path(), folder.path() / name, {"-std=c++20", "-O1"}};
    unit.files = {name};
    unit.names = {"*"};
    units.push_back(unit);
  }
};

}  // namespace

TEST_CASE("units under the same flags share a prelude, one alone has its own, and their trees are the same with it", "[find]") {
  Sources sources;
  for (const char* name : {"a.cpp", "b.cpp", "c.cpp"}) sources.add(name, ordinary);
  sources.add("other.cpp", ordinary);
  sources.units.back().command.flags = {"-std=c++17"};
  auto const without = sources.units;
  Preludes const preludes(sources.units, 2);
  REQUIRE_FALSE(sources.units[0].prelude.empty());
  CHECK(sources.units[2].prelude == sources.units[0].prelude);
  CHECK_FALSE(sources.units[3].prelude.empty());
  CHECK(sources.units[3].prelude != sources.units[0].prelude);
  FileSyntax const with = parse(sources.units[0]).at(0), plain = parse(without[0]).at(0);
  CHECK(with.broken.empty());
  REQUIRE(with.scopes.size() == 1);
  REQUIRE(plain.scopes.size() == 1);
  CHECK(with.scopes[0].symbol == plain.scopes[0].symbol);
  CHECK(with.scopes[0].nodes.size() == plain.scopes[0].nodes.size());
}

TEST_CASE("a source that defines a macro before it includes goes without a prelude", "[find]") {
  Sources sources;
  for (const char* name : {"a.cpp", "b.cpp", "c.cpp"}) sources.add(name, ordinary);
  sources.add("d.cpp", std::string("#define _GLIBCXX_DEBUG\n") + ordinary);
  Preludes const preludes(sources.units, 1);
  CHECK_FALSE(sources.units[0].prelude.empty());
  CHECK(sources.units[3].prelude.empty());
}

TEST_CASE("a prelude hides no error of a file, and none of its own is held against one", "[find]") {
  Sources sources;
  for (const char* name : {"a.cpp", "b.cpp", "c.cpp"}) sources.add(name, ordinary);
  sources.add("d.cpp", std::string(ordinary) + "int g() { return no_such_name; }\n");
  sources.add("e.cpp", std::string("#include <no_such_header>\n") + ordinary);
  Preludes const preludes(sources.units, 1);
  CHECK_FALSE(sources.units[0].prelude.empty());
  CHECK(parse(sources.units[3]).at(0).broken.find("no_such_name") != std::string::npos);
  CHECK(parse(sources.units[4]).at(0).broken.find("no_such_header") != std::string::npos);
  Sources failing;
  for (const char* name : {"a.cpp", "b.cpp", "c.cpp"})
    failing.add(name, std::string("#if 0\n#include <no_such_header>\n#endif\n") + ordinary);
  Preludes const none(failing.units, 1);
  CHECK(failing.units[0].prelude.empty());
  CHECK(parse(failing.units[0]).at(0).broken.empty());
}
