#include "gates/runner/check.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using redproof::gates::check_gates;
using namespace redproof::tests;

namespace {

std::string gate(const std::string& id, const std::string& rest) {
  return R"({"id":")" + id + R"(","claim":"c","theorem":"t","subjects":["cpu"],"run":{"program":"gates_cpu","tag":")" + id +
         R"("},"laws":["l"])" + rest + "}";
}

// The problems, with the root's path taken away.
std::vector<std::string> problems_of(const Folder& folder) {
  auto problems = check_gates(folder.path(), folder / "bin");
  for (auto& problem : problems)
    for (auto at = problem.find(folder.path().string() + "/"); at != std::string::npos; at = problem.find(folder.path().string() + "/"))
      problem.erase(at, folder.path().string().size() + 1);
  return problems;
}

}  // namespace

TEST_CASE("a catalogue in which everything is there has no problems", "[check]") {
  Folder const folder;
  write(folder / "CMakeLists.txt", "program(gates_cpu)");
  write(folder / "src/a.cpp", "void restore(int x);\nvoid store(int x);\nstruct Cache { int operator[](int); };");
  write(folder / "gates/a.gate.json", gate("a", R"(,"surface":["src/a.cpp::store","src/a.cpp::Cache::operator[]"],
"blind_spots":[{"what":"x","covered_by":"b"},{"what":"y","covered_by":null}])"));
  write(folder / "gates/b.gate.json", gate("b", ""));
  CHECK(problems_of(folder).empty());
}

TEST_CASE("every problem is told, each with its file and field, and one bad file hides no other", "[check]") {
  Folder const folder;
  write_script(folder / "bin/gates_cpu", "");
  write(folder / "src/a.cpp", "int restore(); int store2; int my_store;");
  write(folder / "gates/a.gate.json", gate("a", R"(,"surface":["src/a.cpp::store","src/b.cpp::x","src/a.cpp::store2"],
"blind_spots":[{"what":"x","covered_by":"gone"},{"what":"y","covered_by":"a"}])"));
  write(folder / "gates/b.gate.json", "{");
  write(folder / "gates/c.gate.json", replaced(gate("c", ""), R"("tag":"c")", R"("tag":"a")"));
  CHECK(problems_of(folder) ==
        std::vector<std::string>{"gates/a.gate.json: blind_spots[0].covered_by: no gate has the id gone",
                                 "gates/a.gate.json: blind_spots[1].covered_by: a gate does not cover its own blind spot",
                                 "gates/a.gate.json: surface[0]: src/a.cpp does not hold store",
                                 "gates/a.gate.json: surface[1]: src/b.cpp: cannot be read: No such file or directory",
                                 "gates/b.gate.json: no valid JSON at byte 2",
                                 "gates/c.gate.json: run.tag: a is also that of a.gate.json"});
}

TEST_CASE("a surface that links out of the project is a problem", "[check]") {
  Folder const folder;
  Folder const outside;
  write(outside / "a.cpp", "store");
  write(folder / "cmake/gates.cmake", "program(gates_cpu gates/cases)");
  write(folder / "gates/a.gate.json", gate("a", R"(,"surface":["src/a.cpp::store"])"));
  std::filesystem::create_directory_symlink(outside.path(), folder / "src");
  CHECK(problems_of(folder) == std::vector<std::string>{"gates/a.gate.json: surface[0]: src/a.cpp links out of the project"});
}

TEST_CASE("a project without a gate is a problem", "[check]") {
  Folder const folder;
  CHECK(problems_of(folder) == std::vector<std::string>{folder.path().string() + ": holds no gates/*.gate.json"});
  std::filesystem::create_directory(folder / "gates");
  CHECK(problems_of(folder) == std::vector<std::string>{folder.path().string() + ": holds no gates/*.gate.json"});
}

TEST_CASE("every problem of one file is told, and what it holds beside them is checked", "[check]") {
  Folder const folder;
  write(
      folder / "gates/a.gate.json",
      R"({"id":"a","claim":"","subjects":[],"run":{"program":"gates_cpu","tag":"A"},"laws":["l","l",3],"needs":["x","env:HOME","file:../y"],
"surface":["src/a.cpp","src/a.cpp::f"],"blind_spots":[{"what":""},{"what":"x","covered_by":"b"}],"timeout_s":0,"kept_becuase":"x","more":1})");
  write(folder / "gates/b.gate.json", "[]");
  CHECK(problems_of(folder) ==
        std::vector<std::string>{
            "gates/a.gate.json: (root): unknown key \"kept_becuase\"", "gates/a.gate.json: (root): unknown key \"more\"",
            "gates/a.gate.json: claim: must not be empty", "gates/a.gate.json: (root): \"theorem\" is missing",
            "gates/a.gate.json: subjects: must name a subject",
            "gates/a.gate.json: run.tag: must be made of [a-z0-9_], at most 80 characters", "gates/a.gate.json: laws[1]: is there twice",
            "gates/a.gate.json: laws[2]: must be a string", "gates/a.gate.json: surface[0]: must be PATH::SYMBOL",
            "gates/a.gate.json: blind_spots[0]: \"covered_by\" is missing",
            "gates/a.gate.json: needs[0]: must be file:PATH, program:NAME or env:NAME",
            "gates/a.gate.json: needs[2]: must be file:PATH, program:NAME or env:NAME", "gates/a.gate.json: timeout_s: must be at least 1",
            "gates/a.gate.json: run.program: gates_cpu is neither in bin nor named by the build",
            "gates/a.gate.json: surface[0]: src/a.cpp: cannot be read: No such file or directory",
            "gates/b.gate.json: (root): must be an object"});
}

TEST_CASE("a law of the project's own programs has a file in properties/, where that folder is there", "[check]") {
  Folder const folder;
  write(folder / "CMakeLists.txt", "program(gates_cpu)");
  write(folder / "gates/a.gate.json", gate("a", ""));
  write(folder / "gates/b.gate.json", replaced(gate_file("b", "exit 0"), "}}", R"(},"laws":["theirs"]})"));
  write(folder / "properties/other.cpp", "");
  CHECK(problems_of(folder) == std::vector<std::string>{"gates/a.gate.json: laws[0]: properties/l.cpp is not there"});
  write(folder / "properties/l.cpp", "");
  CHECK(problems_of(folder).empty());
}
