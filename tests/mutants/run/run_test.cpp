#include "mutants/driver/run/run.h"

#include <fstream>

#include "gates/runner/interrupt.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using test::Project;
namespace fs = std::filesystem;

namespace {}  // namespace

TEST_CASE("a run leaves the user's tree as it was, removes its lab and fills its folder", "[run]") {
  Project project("a project's tree");
  project.add_edit("store/swap", "store", Project::swap);
  project.add_edit("store/drop", "store", R"("drop_factor":{"expression":"total * 2","factor":"2"})");
  project.add_edit("store/stale", "store", R"("replace_literal":{"literal":"99","with":"8"})");
  project.write("dirty.txt", "not committed\n");
  fs::create_symlink("src/store.cpp", project.root() / "linked.cpp");
  std::string const before = project.hash();
  RunReport const report = project.run();
  CHECK(project.hash() == before);
  CHECK(fs::is_empty(project.lab_home()));
  REQUIRE(report.records.size() == 3);
  CHECK(report.records[0].id == "store/drop");
  CHECK(report.records[0].outcome == Outcome::killed);
  CHECK(report.records[1].outcome == Outcome::stale);
  CHECK(report.records[2].outcome == Outcome::killed);
  CHECK(report.exit_code() == 7);
  fs::path const out = project.options().out;
  for (const char* file : {"plan.json", "outcomes.jsonl", "killed.txt", "stale.txt", "diff/store/swap.diff", "logs/store/swap.build.log",
                           "logs/store/swap.pairs.log"}) {
    INFO(file);
    CHECK(fs::exists(out / file));
  }
  CHECK(test::read(out / "diff/store/swap.diff").find("+  total += pair(v, k);") != std::string::npos);
}

TEST_CASE("a mutant of a linked file is planted in the file itself", "[run]") {
  Project project;
  fs::create_symlink("src/store.cpp", project.root() / "linked.cpp");
  project.add_mutant("g/m", R"("edit":{"file":"linked.cpp","text":{"find":"pair(k, v);","replace":"pair(v, k);"}},)" + Project::reds);
  Record const record = project.outcome_of("g/m");
  CHECK(record.outcome == Outcome::killed);
  CHECK(record.files.at(0).path == "src/store.cpp");
}

TEST_CASE("a link out of the root is refused", "[run]") {
  Project project;
  test::write(project.root().parent_path() / "outside.cpp", "int x = 1;\n");
  fs::create_symlink("../outside.cpp", project.root() / "linked.cpp");
  project.add_mutant("g/m", R"("edit":{"file":"linked.cpp","text":{"find":"1","replace":"2"}},)" + Project::reds);
  CHECK_THROWS_AS(project.run(), redproof::gates::Refusal);
}

TEST_CASE("a finished outcome is taken from an earlier run on the same inputs, and only then", "[run]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  CHECK_FALSE(project.run().records.at(0).reused);
  RunReport const again = project.run();
  CHECK(again.records.at(0).reused);
  CHECK(again.records.at(0).outcome == Outcome::killed);
  CHECK(fs::exists(project.options().out / "logs/g/m.build.log"));
  RunOptions anew = project.options();
  anew.resume = false;
  CHECK_FALSE(run(anew).records.at(0).reused);
  RunOptions seeded = project.options();
  seeded.seed = 7;
  CHECK_FALSE(run(seeded).records.at(0).reused);
  std::ofstream(project.root() / "src/main.cpp", std::ios::app) << "// changed\n";
  CHECK_FALSE(project.run().records.at(0).reused);
}

TEST_CASE("a timeout is never taken from an earlier run", "[run]") {
  Project project;
  project.add_edit("g/m", "guard", R"("force_condition":{"condition":"left > 0","value":true})");
  RunOptions options = project.options();
  options.timeout_factor = 0.3;
  CHECK(run(options).records.at(0).outcome == Outcome::timeout);
  CHECK_FALSE(run(options).records.at(0).reused);
}

TEST_CASE("a suppressed mutant is listed with its reason and not run", "[run]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap, Project::reds + R"(,"suppressed":"needs another machine")");
  Record const record = project.outcome_of("g/m");
  CHECK(record.outcome == Outcome::suppressed);
  CHECK(record.reason == "needs another machine");
  CHECK(record.exit_code() == 0);
}

TEST_CASE("where the pristine tree is not green everything is unproved", "[run]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  project.write("src/main.cpp", "int main() { return 5; }\n");
  RunReport const report = project.run();
  CHECK(report.exit_code() == 4);
  CHECK(report.records.at(0).outcome == Outcome::unproved);
  CHECK(report.records.at(0).reason.find("gate pairs") != std::string::npos);
  project.write("src/main.cpp", "this does not build\n");
  CHECK(project.run().exit_code() == 4);
}

TEST_CASE("an empty catalogue is no evidence", "[run]") {
  Project const project;
  CHECK(project.run().exit_code() == 8);
  CHECK(check(project.options()).exit_code() == 8);
}

TEST_CASE("checking names what is stale and what does not parse, and plants nothing", "[run]") {
  Project project;
  project.add_edit("g/fits", "store", Project::swap);
  project.add_edit("g/stale", "store", R"("replace_literal":{"literal":"99","with":"8"})");
  RunReport const report = check(project.options());
  REQUIRE(report.records.size() == 1);
  CHECK(report.records[0].outcome == Outcome::stale);
  CHECK(report.exit_code() == 7);
  CHECK_FALSE(fs::exists(project.options().out));
  project.write("src/store.cpp", "int store(int k) { return undeclared; }\n");
  RunReport const broken = check(project.options());
  REQUIRE(broken.records.size() == 2);
  CHECK(broken.records[0].outcome == Outcome::no_evidence);
  CHECK(broken.records[0].reason.find("undeclared") != std::string::npos);
  CHECK(broken.exit_code() == 8);
}

TEST_CASE("a run that is interrupted while the tree is copied counts every mutant as not run", "[run]") {
  Project project;
  for (const char* id : {"g/a", "g/b"}) project.add_edit(id, "store", Project::swap);
  RunOptions options = project.options();
  options.on_note = [](const std::string&) { redproof::gates::interrupt(); };
  RunReport const report = run(options);
  redproof::gates::forget_interrupt();
  CHECK(report.exit_code() == 130);
  CHECK(report.records.empty());
  CHECK(report.plan.mutants.size() == 2);
  CHECK(human_summary(report).find("  not run             2\n  all                 2\n") != std::string::npos);
}
