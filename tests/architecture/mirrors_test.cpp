#include "tests/architecture/planted.h"
#include "tests/architecture/rules.h"
#include "tests/catch.h"

using namespace redproof::tests;

namespace {

std::string const some_test = "TEST_CASE(\"it holds\", \"[a]\") { CHECK(f()); }\n";

std::string mirror_findings(std::map<std::string, std::string> const& files) {
  return describe(sources_without_mirror(PlantedTree(files).tree()));
}

}  // namespace

TEST_CASE("each source of the oracle, the runner and the driver has its test", "[architecture]") {
  INFO(describe(sources_without_mirror(own_tree())));
  CHECK(sources_without_mirror(own_tree()).empty());
}

TEST_CASE("a source without a test of its name is found", "[architecture]") {
  CHECK(mirror_findings({{"oracle/bound/loose.cpp", ""}}) ==
        "oracle/bound/loose.cpp:0: source (no test case in tests/oracle/bound/loose_test.cpp)\n");
  CHECK(mirror_findings({{"gates/runner/claim.cpp", ""}}).find("tests/gates/claim_test.cpp") != std::string::npos);
  CHECK(mirror_findings({{"mutants/driver/find/edit.cpp", ""}}).find("tests/mutants/find/edit_test.cpp") != std::string::npos);
  CHECK(mirror_findings({{"oracle/loose.cpp", ""}, {"tests/oracle/loose_test.cpp", "// TEST_CASE(\n"}}).find("no test case") !=
        std::string::npos);
  CHECK(mirror_findings({{"oracle/a/loose.cpp", ""}, {"tests/oracle/loose_test.cpp", some_test}}).find("no test case") !=
        std::string::npos);
}

TEST_CASE("a mirror is accepted at its place", "[architecture]") {
  CHECK(mirror_findings({{"oracle/bound/loose.cpp", ""}, {"tests/oracle/bound/loose_test.cpp", some_test}}).empty());
  CHECK(mirror_findings({{"gates/runner/evidence_json.cpp", ""}, {"tests/gates/evidence_test.cpp", some_test}}).empty());
  CHECK(mirror_findings({{"gates/runner/evidence_json.cpp", ""}, {"tests/gates/evidence_json_test.cpp", some_test}}).empty());
  CHECK(mirror_findings({{"gates/runner/cli/main.cpp", ""}, {"engine/kv/store.cpp", ""}, {"oracle/format.h", ""}}).empty());
}
