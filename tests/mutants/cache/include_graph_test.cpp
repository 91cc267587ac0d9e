#include "mutants/driver/cache/include_graph.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

struct Sources {
  // Commands for a.cpp and b.cpp, each with these words.
  explicit Sources(const std::string& words = "") : words_(words) {
    write("a.cpp", "#include \"x.h\"\n");
    write("b.cpp", "#include \"y.h\"\n");
    write("x.h", "#include <deep/z.h>\n");
    write("y.h", "");
    write("deep/z.h", "");
  }

  void write(const std::string& file, const std::string& text) {
    test::write(folder_.path() / file, text);
    if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
  }

  // "a.cpp b.cpp", or "unknown"
  std::string units_of(const std::string& file) {
    std::string entries;
    for (const std::string name : {"a.cpp", "b.cpp"})
      entries += (entries.empty() ? "" : ",") + std::string(R"({"directory":")") + folder_.path().string() + R"(","file":")" + name +
                 R"(","command":"g++ )" + words_ + " -c " + name + "\"}";
    test::write(folder_.path() / "db.json", "[" + entries + "]");
    CompileDatabase const database = CompileDatabase::read(folder_.path() / "db.json");
    auto const units = IncludeGraph(folder_.path(), files_, database).units_of(file);
    if (!units) return "unknown";
    std::string names;
    for (const CompileCommand* unit : *units) names += (names.empty() ? "" : " ") + unit->file.filename().string();
    return names;
  }

  test::TemporaryFolder folder_;
  std::vector<std::string> files_;
  std::string words_;
};

}  // namespace

TEST_CASE("a source is compiled by its command, a header by those of all that may include it", "[cache]") {
  Sources sources;
  CHECK(sources.units_of("a.cpp") == "a.cpp");
  CHECK(sources.units_of("x.h") == "a.cpp");
  CHECK(sources.units_of("deep/z.h") == "a.cpp");
  CHECK(sources.units_of("nobody.h").empty());
  sources.write("other/z.h", "");
  CHECK(sources.units_of("other/z.h") == "a.cpp");
  sources.write("y.h", "#include \"rows.def\"\n");
  sources.write("rows.def", "#include \"z.h\"\n");
  CHECK(sources.units_of("deep/z.h") == "a.cpp b.cpp");
}

TEST_CASE("an include that a macro names may be of any file", "[cache]") {
  Sources sources;
  sources.write("y.h", "#include NAME\n");
  CHECK(sources.units_of("x.h") == "a.cpp b.cpp");
}

TEST_CASE("a file that commands include is in all their sources", "[cache]") {
  CHECK(Sources("-include front/y.h").units_of("y.h") == "a.cpp b.cpp");
  CHECK(Sources("@options").units_of("y.h") == "a.cpp b.cpp");
}

TEST_CASE("a source that includes a file and has no command makes its units unknown", "[cache]") {
  Sources sources;
  sources.write("c.cpp", "#include \"y.h\"\n");
  CHECK(sources.units_of("y.h") == "unknown");
  CHECK(sources.units_of("x.h") == "a.cpp");
  CHECK(sources.units_of("c.cpp") == "unknown");
  sources.write("a.cpp", "#include \"c.cpp\"\n");
  CHECK(sources.units_of("y.h") == "a.cpp b.cpp");
}

TEST_CASE("a command that has made nothing is of no program", "[cache]") {
  Sources sources("-o made.o");
  CHECK(sources.units_of("x.h").empty());
  test::write(sources.folder_.path() / "made.o", "");
  CHECK(sources.units_of("x.h") == "a.cpp");
}
