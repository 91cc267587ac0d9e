#include "mutants/driver/run/narrow.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

void add_three(test::Project& project) {
  project.add_edit("g/a", "store", test::Project::swap);
  project.add_edit("g/b", "count", R"("replace_expression":{"expression":"n","with":"1"})", R"("reds":[{"gate":"exits"}])");
  project.add_edit("g/c", "store", R"("replace_literal":{"literal":"99","with":"8"})");
  project.write("build/x/compile_commands.json", R"([{"directory":")" + project.root().string() +
                                                     R"(","file":"src/store.cpp","command":"g++ -std=c++20 -c src/store.cpp"}])");
}

std::string concerned(const test::Project& project, const std::string& diff, Shard shard = {}) {
  RunOptions options = project.options();
  options.selection.diff = parse_diff(diff);
  options.selection.shard = shard;
  std::string ids;
  for (const PlannedMutant& planned : check(options).plan.mutants) ids += planned.mutant.id.substr(2);
  return ids;
}

std::string diff_of(const std::string& file, const std::string& hunk) { return "--- a/" + file + "\n+++ b/" + file + "\n" + hunk; }

}  // namespace

TEST_CASE("without a diff the selection is known by names alone, and a shard is a part of it", "[run]") {
  test::Project project;
  add_three(project);
  RunOptions options = project.options();
  options.selection.files = {"src/*"};
  options.filters = {"g/a", "g/c"};
  options.selection.shard = {2, 2};
  Inputs const inputs = load_inputs(options);
  CHECK(inputs.selected == std::vector<std::string>{"g/a", "g/c"});
  REQUIRE(inputs.mutants.size() == 1);
  CHECK(inputs.mutants[0].id == "g/c");
  options.selection.sample = 1;
  CHECK(load_inputs(options).selected.size() == 1);
}

TEST_CASE("a diff takes the mutants of the functions it touches, and stale ones of its files", "[run]") {
  test::Project project;
  add_three(project);
  // In store, on another line than the mutant; c is stale there.
  CHECK(concerned(project, diff_of("src/store.cpp", "@@ -6 +6 @@\n-x\n+  int total = 0;\n")) == "ac");
  CHECK(concerned(project, diff_of("src/store.cpp", "@@ -11 +11 @@\n-x\n+int count(int n) { return n; }\n")) == "bc");
  CHECK(concerned(project, diff_of("src/store.cpp", "@@ -1 +1 @@\n-x\n+namespace demo {\n")) == "c");
  CHECK(concerned(project, diff_of("src/unused.cpp", "@@ -1 +1 @@\n-x\n+int never(int n) { return n + 1; }\n")).empty());
}

TEST_CASE("a diff of a gate, of a mutant's file or of the lab takes what it decides", "[run]") {
  test::Project project;
  add_three(project);
  auto const whole = [](const std::string& file) { return "diff --git a/" + file + " b/" + file + "\nBinary files a/x and b/x differ\n"; };
  CHECK(concerned(project, whole("gates/exits.gate.json")) == "b");
  CHECK(concerned(project, whole("gate.sh")) == "ac");
  CHECK(concerned(project, whole("mutants/g/b.mutant.json")) == "b");
  CHECK(concerned(project, whole("mutants/lab.json")) == "abc");
  CHECK(concerned(project, whole("mutants/lab.json"), {2, 2}) == "b");
}
