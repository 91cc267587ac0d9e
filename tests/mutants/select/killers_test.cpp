#include "mutants/driver/select/killers.h"

#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

redproof::gates::Gate own_gate(const std::string& id, const std::vector<std::string>& laws) {
  redproof::gates::Gate gate;
  gate.id = id;
  gate.program = "gates_cpu";
  gate.laws = laws;
  gate.file = "/p/gates/" + id + ".gate.json";
  return gate;
}

std::vector<redproof::gates::Gate> all_gates() {
  redproof::gates::Gate script = own_gate("script", {});
  script.program.clear();
  script.argv = {"./run.sh", "x"};
  return {own_gate("bytes", {"nearest"}), own_gate("pages", {"routed"}), script};
}

bool concerned(const std::string& path, const std::string& gate = "bytes") {
  auto const gates = all_gates();
  Mutant mutant;
  mutant.file = "/p/mutants/g/m.mutant.json";
  mutant.reds = {{gate, ""}};
  return ChangedKillers({path}, gates, "/p", "gates").concern(mutant);
}

}  // namespace

TEST_CASE("a mutant is run again where its file, its gate's file, case or law changed", "[select]") {
  for (const char* path : {"mutants/g/m.mutant.json", "gates/bytes.gate.json", "gates/cases/bytes.cpp", "properties/nearest.cpp"})
    CHECK(concerned(path));
  for (const char* path : {"mutants/g/n.mutant.json", "gates/pages.gate.json", "gates/cases/pages.cpp", "properties/routed.cpp",
                           "properties/README.md", "gates/README.md", "engine/a.cpp", "run.sh"})
    CHECK_FALSE(concerned(path));
}

TEST_CASE("whatever gate changed may now see a generated mutant", "[select]") {
  Mutant mutant;
  mutant.generated = true;
  auto const concerned = [&](const char* path) { return ChangedKillers({path}, all_gates(), "/p", "gates").concern(mutant); };
  for (const char* path : {"gates/bytes.gate.json", "gates/pages.gate.json", "properties/nearest.cpp", "properties/routed.cpp", "run.sh"})
    CHECK(concerned(path));
  for (const char* path : {"engine/a.cpp", "properties/README.md"}) CHECK_FALSE(concerned(path));
}

TEST_CASE("what gates share counts for each of the project's own", "[select]") {
  for (const char* path : {"gates/cases/close.cpp", "properties/run.cpp", "properties/generators/floats.cpp", "oracle/nearest.cpp"}) {
    CHECK(concerned(path));
    CHECK_FALSE(concerned(path, "script"));
  }
}

TEST_CASE("a foreign gate changes with the program that stands in its argv", "[select]") {
  CHECK(concerned("run.sh", "script"));
  CHECK_FALSE(concerned("properties/nearest.cpp", "script"));
}
