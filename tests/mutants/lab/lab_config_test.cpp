#include "mutants/driver/lab/lab_config.h"

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using Words = std::vector<std::string>;

namespace {

LabConfig load(const std::string& text) {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "lab.json", text);
  return load_lab_config(folder.path() / "lab.json");
}

}  // namespace

TEST_CASE("a lab is configured by its file", "[lab]") {
  LabConfig const lab = load(R"({"build":["make","{targets}"],"bin":"out","programs":["out/p"],"links":["models"]})");
  CHECK(lab.gates == "gates");
  CHECK(lab.configure.empty());
  CHECK(lab.compile_commands.empty());
  CHECK(with_targets(lab.build, {"a", "b"}) == Words{"make", "a", "b"});
  CHECK(with_targets({"make"}, {"a"}) == Words{"make"});
}

TEST_CASE("a lab without programs, or outside the tree, is refused", "[lab]") {
  for (const char* text : {R"({"build":["make"],"bin":"out","programs":[]})", R"({"build":[],"bin":"out","programs":["p"]})",
                           R"({"build":["make"],"bin":"/out","programs":["p"]})", R"({"build":["make"],"bin":"out","programs":["../p"]})",
                           R"({"build":["make"],"bin":"out","programs":["p"],"builds":1})", R"({"bin":"out","programs":["p"]})"})
    CHECK_THROWS_AS(load(text), redproof::gates::Refusal);
}

TEST_CASE("the project's own lab builds what its catalogue needs", "[lab]") {
  LabConfig const lab = load_lab_config(REDPROOF_ROOT "/mutants/lab.json");
  CHECK(lab.bin == "build/lab/bin");
  CHECK(lab.compile_commands == "build/lab/compile_commands.json");
}
