#include "mutants/driver/cache/unit_closure.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using Words = std::vector<std::string>;

namespace {

// A tree with a.cpp, which includes a.h, and what its closure is.
class Unit {
 public:
  Unit() : worker_(config_, folder_.path() / "w", {}) {
    write("a.cpp", "#include \"a.h\"\nint f() { return 1; }\n");
    write("a.h", "#define A 1\n");
  }

  void write(const std::string& file, const std::string& text) { test::write(worker_.tree() / file, text); }

  std::optional<std::string> closure(const Words& flags = {}, bool is_cuda = false) {
    Words words{"g++"};
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), {"-o", "a.o", "-c", worker_.tree() / "a.cpp"});
    std::filesystem::create_directories(worker_.home() / "tmp");
    CompileCommand const command{worker_.tree(), worker_.tree() / "a.cpp", {}, is_cuda, words};
    UnitClosures closures(worker_);
    closures.make({&command, &command}, 2);
    return closures.of(&command);
  }

 private:
  test::TemporaryFolder folder_;
  LabConfig config_;
  Worker worker_;
};

}  // namespace

TEST_CASE("a closure is that of equal sources and commands in any folder", "[cache]") {
  Unit one, other;
  REQUIRE(one.closure().has_value());
  CHECK(one.closure() == other.closure());
  other.write("a.cpp", "#include \"a.h\" // this\nint f() { return /* one */ 1; }\n");
  other.write("b.h", "int b;\n");
  CHECK(one.closure() == other.closure());
}

TEST_CASE("a closure changes with each file that the compiler reads, and with the command", "[cache]") {
  Unit unit;
  auto const before = unit.closure();
  CHECK(unit.closure({"-O2"}) != before);
  unit.write("a.h", "#define A 2\n");
  CHECK(unit.closure() != before);
  unit.write("a.h", "\n#define A 1\n");
  CHECK(unit.closure() != before);
  unit.write("a.h", "#define A 1\n");
  CHECK(unit.closure() == before);
}

TEST_CASE("there is no closure of what does not parse, of CUDA, and where files decide that are not included", "[cache]") {
  Unit unit;
  CHECK_FALSE(unit.closure({}, true).has_value());
  unit.write("a.h", "#include \"no_such_file.h\"\n");
  CHECK_FALSE(unit.closure().has_value());
  unit.write("a.h", "#if __has_include(\"b.h\")\n#define A 1\n#endif\n");
  CHECK_FALSE(unit.closure().has_value());
}

TEST_CASE("the command that names what is read writes nothing else and uses no precompiled header", "[cache]") {
  CompileCommand const command{
      "/d", "/d/a.cpp", {}, false, {"ccache", "g++", "-fpch-preprocess", "-MD", "-MF", "a.d", "-o", "a.o", "-c", "a.cpp"}};
  CHECK(dependency_command(command, "/r") == Words{"env", "-C", "/d", "g++", "a.cpp", "-w", "-M", "-MT", "unit", "-MF", "/r"});
  CHECK(dependency_command({"/d", "/d/a.cpp", {}, false, {"ccache"}}, "/r").empty());
}

TEST_CASE("prerequisites are read as make reads them", "[cache]") {
  CHECK(prerequisites_of("unit: a.cpp b\\ c.h \\\n d$$e.h \\\n /f.h\n\nb.h:\n") == Words{"a.cpp", "b c.h", "d$e.h", "/f.h"});
  CHECK(prerequisites_of("").empty());
}
