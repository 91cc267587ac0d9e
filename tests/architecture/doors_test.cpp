#include "tests/architecture/planted.h"
#include "tests/architecture/rules.h"
#include "tests/catch.h"

using namespace redproof::tests;

namespace {

std::vector<Finding> found(std::map<std::string, std::string> const& files) { return closed_doors(PlantedTree(files).tree()); }

// The one finding of a tree with one file that includes one header.
std::string only(std::string const& file, std::string const& directive) {
  auto const findings = found({{file, "#pragma once\n" + directive + "\n"}, {"engine/kv/store.h", ""}, {"engine/types/kv.h", ""}});
  return findings.size() == 1 ? describe(findings) : std::to_string(findings.size()) + " findings\n" + describe(findings);
}

}  // namespace

TEST_CASE("every include goes through an open door", "[architecture]") {
  Tree const tree = own_tree();
  REQUIRE(tree.sources().size() > 50);
  INFO(describe(closed_doors(tree)));
  CHECK(closed_doors(tree).empty());
}

TEST_CASE("an include through a closed door is named with its line", "[architecture]") {
  CHECK(only("engine/kv/a.cpp", "#include \"oracle/format.h\"") ==
        "engine/kv/a.cpp:2: #include \"oracle/format.h\" (engine may not include oracle/format.h)\n");
  CHECK(only("oracle/nearest.cpp", "#include \"engine/kv/store.h\"") ==
        "oracle/nearest.cpp:2: #include \"engine/kv/store.h\" (oracle may not include engine/kv/store.h)\n");
}

TEST_CASE("each row of the table of rooms is shut", "[architecture]") {
  std::map<std::string, std::vector<std::string>> const closed{
      {"engine/kv/a.cpp", {"oracle/a.h", "properties/a.h", "gates/runner/a.h", "mutants/driver/a.h", "tests/catch.h"}},
      {"engine/types/a.h", {"engine/kv/store.h", "oracle/a.h"}},
      {"oracle/a.cpp",
       {"engine/kv/store.h", "engine/bits/fp8.h", "oracle/slow/a.h", "properties/a.h", "gates/runner/a.h", "tests/catch.h"}},
      {"oracle/slow/a.cpp", {"engine/kv/store.h", "properties/a.h"}},
      {"properties/a.cpp", {"oracle/slow/a.h", "gates/cases/a.h", "gates/runner/a.h", "mutants/driver/a.h", "tests/catch.h"}},
      {"gates/cases/a.cpp", {"gates/runner/a.h", "oracle/slow/a.h", "mutants/driver/a.h", "tests/temp.h"}},
      {"gates/runner/a.cpp", {"engine/types/kv.h", "oracle/a.h", "properties/a.h", "gates/cases/a.h", "mutants/driver/a.h"}},
      {"mutants/driver/a.cpp", {"engine/types/kv.h", "oracle/a.h", "properties/a.h", "gates/cases/a.h", "tests/catch.h"}},
  };
  for (auto const& [file, targets] : closed) {
    for (std::string const& target : targets) {
      INFO(file << " includes " << target);
      CHECK(only(file, "#include \"" + target + "\"").find("may not include " + target) != std::string::npos);
    }
  }
}

TEST_CASE("each row of the table of rooms is open where it says so", "[architecture]") {
  std::map<std::string, std::vector<std::string>> const open{
      {"engine/model/a.cpp", {"engine/kv/store.h", "engine/types/kv.h"}},
      {"oracle/a.cpp", {"engine/types/kv.h", "oracle/format.h"}},
      {"properties/a.cpp", {"engine/kv/store.h", "oracle/a.h", "properties/run.h"}},
      {"gates/cases/a.cpp", {"properties/run.h", "engine/kv/store.h", "oracle/a.h", "tests/catch.h"}},
      {"gates/runner/cli/main.cpp", {"gates/runner/a.h"}},
      {"mutants/driver/a.cpp", {"gates/runner/a.h", "mutants/driver/find/a.h"}},
      {"tests/engine/a_test.cpp", {"tests/catch.h", "engine/kv/store.h", "oracle/slow/a.h", "mutants/driver/a.h", "gates/runner/a.h"}},
  };
  for (auto const& [file, targets] : open) {
    for (std::string const& target : targets) CHECK(only(file, "#include \"" + target + "\"") == "0 findings\n");
  }
}

TEST_CASE("no spelling of an include slips through a door", "[architecture]") {
  CHECK(only("oracle/a.cpp", "#include <engine/kv/store.h>").find("may not include engine/kv/store.h") != std::string::npos);
  CHECK(only("oracle/a.cpp", "#include \"../engine/kv/store.h\"").find("may not include engine/kv/store.h") != std::string::npos);
  CHECK(only("oracle/a.cpp", "#include \"engine/types/../kv/store.h\"").find("may not include engine/kv/store.h") != std::string::npos);
  CHECK(only("oracle/a.cpp", "# /* x */ include /* y */ \"engine/kv/store.h\"").find("engine/kv/store.h") != std::string::npos);
  CHECK(only("oracle/a.cpp", "#include \"../../elsewhere.h\"").find("may not include ../elsewhere.h") != std::string::npos);
  CHECK(only("scripts/bench/a.cpp", "#include \"engine/kv/store.h\"").find("may not include engine/kv/store.h") != std::string::npos);
  CHECK(only("oracle/a.cpp", "#include HEADER").find("through a macro") != std::string::npos);
  CHECK(only("oracle/a.cpp", "// #include \"engine/kv/store.h\"") == "0 findings\n");
  CHECK(only("oracle/a.cpp", "#include <vector>") == "0 findings\n");
}

TEST_CASE("a source outside the rooms is found", "[architecture]") {
  CHECK(only("helpers/a.cpp", "").find("it stands in no room") != std::string::npos);
  CHECK(only("a.h", "").find("it stands in no room") != std::string::npos);
}
