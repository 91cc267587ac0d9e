#include "mutants/driver/run/prepare.h"

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using test::Project;
namespace fs = std::filesystem;

TEST_CASE("inputs are the selected mutants, but the whole catalogue has to be sound", "[run]") {
  Project project;
  project.add_edit("g/a", "store", R"("replace_literal":{"literal":"0","with":"1"})");
  project.add_edit("g/b", "store", R"("replace_literal":{"literal":"0","with":"1"})");
  RunOptions options = project.options();
  options.filters = {"g/a"};
  CHECK(load_inputs(options).mutants.size() == 1);
  CHECK(load_inputs(options).gates.size() == 3);
  project.add_edit("g/b", "store", R"("replace_literal":{"literal":"0","with":"1"})", R"("reds":[{"gate":"absent","law":"l"}])");
  CHECK_THROWS_AS(load_inputs(options), redproof::gates::Refusal);
}

TEST_CASE("the compile database is the one asked for, the lab's, or the newest below build", "[run]") {
  Project project;
  RunOptions options = project.options();
  LabConfig lab;
  CHECK_FALSE(compile_commands_of(options, lab).has_value());
  project.write("build/dev/compile_commands.json", "[]");
  CHECK(compile_commands_of(options, lab) == project.root() / "build/dev/compile_commands.json");
  project.write("build/lab/compile_commands.json", "[]");
  fs::last_write_time(project.root() / "build/lab/compile_commands.json", fs::file_time_type::clock::now() - std::chrono::hours(1));
  CHECK(compile_commands_of(options, lab) == project.root() / "build/dev/compile_commands.json");
  lab.compile_commands = "build/lab/compile_commands.json";
  CHECK(compile_commands_of(options, lab) == project.root() / lab.compile_commands);
  options.compile_commands = "/asked/for";
  CHECK(compile_commands_of(options, lab) == "/asked/for");
}

TEST_CASE("stale, broken and suppressed mutants have their record before anything runs", "[run]") {
  PlannedMutant planned;
  CHECK_FALSE(record_without_run(planned).has_value());
  planned.mutant.suppressed = "later";
  CHECK(record_without_run(planned)->outcome == Outcome::suppressed);
  planned.finding.broken = "an error";
  CHECK(record_without_run(planned)->outcome == Outcome::no_evidence);
  // A suppressed mutant that no longer applies has rotted all the same.
  planned.finding = {{}, "nowhere", {}};
  CHECK(record_without_run(planned)->outcome == Outcome::stale);
  CHECK_FALSE(record_without_run(planned)->as_declared);
}
