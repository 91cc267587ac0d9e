// Every outcome that planting one mutant a build can have.
#include "mutants/driver/run/experiment.h"

#include <algorithm>

#include "gates/runner/network.h"
#include "mutants/driver/run/prepare.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/skip.h"

using namespace redproof::mutants;
using test::Project;

namespace {

// Changes the second number alone: laws `pairs` and gate `pairs` cannot see it.
constexpr const char* sign_edit = R"("replace_expression":{"expression":"-1","with":"-2"})";
constexpr const char* never_ends_edit = R"("force_condition":{"condition":"left > 0","value":true})";

Record outcome(const std::string& function, const std::string& kind, const std::string& rest = Project::reds) {
  Project project;
  project.add_edit("g/m", function, kind, rest);
  RunOptions options = project.options();
  if (kind == never_ends_edit) options.timeout_factor = 0.3;
  return run(options).records.at(0);
}

}  // namespace

TEST_CASE("a mutant whose gate goes red in the named law is killed, with the evidence of it", "[run]") {
  Record const record = outcome("store", Project::swap);
  CHECK(record.outcome == Outcome::killed);
  CHECK(record.as_declared);
  REQUIRE(record.files.size() == 1);
  CHECK(record.files[0].before == record.files[0].restored);
  CHECK(record.files[0].before != record.files[0].mutated);
  CHECK(record.files[0].mutated.size() == 64);
  CHECK(record.build.ran);
  CHECK(record.build.exit_code == 0);
  REQUIRE(record.programs.size() == 1);
  CHECK(record.programs[0].before != record.programs[0].mutated);
  REQUIRE(record.gates.size() == 1);
  CHECK(record.gates[0].law == "pairs");
  REQUIRE(record.gates[0].worst.has_value());
  CHECK(record.gates[0].worst->observed == "42");
  CHECK(record.gates[0].worst->truth == "24");
}

TEST_CASE("all named reds have to go red", "[run]") {
  std::string const two = R"("reds":[{"gate":"pairs","law":"pairs"},{"gate":"both","law":"pairs"},{"gate":"exits"}])";
  CHECK(outcome("store", Project::swap, two).outcome == Outcome::killed);
  Record const half = outcome("store", sign_edit, R"("reds":[{"gate":"both","law":"signs"},{"gate":"pairs","law":"pairs"}])");
  CHECK(half.outcome == Outcome::survived);
  CHECK(half.reason.find("pairs stayed green") != std::string::npos);
}

TEST_CASE("a mutant that no gate sees survives, one that only another gate sees is wrong_gate", "[run]") {
  Record const survivor = outcome("store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  CHECK(survivor.outcome == Outcome::survived);
  CHECK(survivor.exit_code() == 2);
  CHECK(survivor.gates.size() == 3);
  Record const elsewhere = outcome("store", sign_edit);
  CHECK(elsewhere.outcome == Outcome::wrong_gate);
  CHECK(elsewhere.reason.find("seen only by both") != std::string::npos);
}

TEST_CASE("a gate that was red before is no other gate that sees it", "[run]") {
  Project project;
  std::string gate = test::read(project.root() / "gates/both.gate.json");
  gate.replace(gate.find("signs=2=-1"), 10, "signs=2=-7");
  project.write("gates/both.gate.json", gate);
  project.add_edit("g/m", "store", sign_edit);
  CHECK(project.outcome_of("g/m").outcome == Outcome::survived);
}

TEST_CASE("red in another law is wrong_reason", "[run]") {
  Record const record = outcome("store", sign_edit, R"("reds":[{"gate":"both","law":"pairs"}])");
  CHECK(record.outcome == Outcome::wrong_reason);
  CHECK(record.exit_code() == 10);
  CHECK(record.reason.find("signs") != std::string::npos);
}

TEST_CASE("a gate that had to stay green and did not is collateral", "[run]") {
  Record const red = outcome("store", sign_edit, R"("reds":[{"gate":"both","law":"signs"}],"keeps_green":["pairs"])");
  CHECK(red.outcome == Outcome::killed);
  CHECK(red.gates.size() == 2);
  Record const both = outcome("store", Project::swap, Project::reds + R"(,"keeps_green":["both"])");
  CHECK(both.outcome == Outcome::collateral);
  CHECK(both.exit_code() == 10);
}

TEST_CASE("fewer elements than on the pristine tree are no green", "[run]") {
  std::string const fewer = R"("replace_expression":{"expression":"n","with":"n - 1"})";
  Record const named = outcome("count", fewer);
  CHECK(named.outcome == Outcome::no_evidence);
  CHECK(named.reason.find("1 elements, 2 on the pristine tree") != std::string::npos);
  Project project;
  project.add_mutant("g/m", R"("edits":[{"file":"src/store.cpp","function":"count",)" + fewer +
                                R"(},{"file":"src/store.cpp","function":"store",)" + sign_edit +
                                R"(}],"reds":[{"gate":"both","law":"signs"}],"keeps_green":["pairs"])");
  CHECK(project.outcome_of("g/m").outcome == Outcome::collateral);
}

TEST_CASE("crash, timeout and oom are outcomes of their own unless declared", "[run]") {
  std::string const crashes = R"("replace_expression":{"expression":"code","with":"1"})";
  std::string const eats = R"("replace_expression":{"expression":"bytes","with":"bytes * 1000"})";
  CHECK(outcome("guard", crashes).outcome == Outcome::crash);
  CHECK(outcome("guard", crashes).exit_code() == 10);
  CHECK(outcome("room", eats).outcome == Outcome::oom);
  CHECK(outcome("room", eats).exit_code() == 10);
  Record const slow = outcome("guard", never_ends_edit);
  CHECK(slow.outcome == Outcome::timeout);
  CHECK(slow.exit_code() == 3);
  Record const declared = outcome("guard", crashes, Project::reds + R"(,"expects":"crash")");
  CHECK(declared.outcome == Outcome::crash);
  CHECK(declared.as_declared);
  CHECK(outcome("room", eats, Project::reds + R"(,"expects":"oom")").as_declared);
  Record const red = outcome("store", Project::swap, Project::reds + R"(,"expects":"crash")");
  CHECK(red.outcome == Outcome::wrong_reason);
}

TEST_CASE("a declared timeout is as declared", "[run]") {
  Record const record = outcome("guard", never_ends_edit, Project::reds + R"(,"expects":"timeout")");
  CHECK(record.outcome == Outcome::timeout);
  CHECK(record.as_declared);
}

TEST_CASE("a gate that leaves no evidence is no_evidence, never a kill", "[run]") {
  Record const record = outcome("guard", R"("replace_expression":{"expression":"code","with":"2"})");
  CHECK(record.outcome == Outcome::no_evidence);
  CHECK(record.exit_code() == 8);
}

TEST_CASE("what does not build is unviable, unless the build has to refuse it with that message", "[run]") {
  std::string const breaks = R"("replace_name":{"name":"pair","with":"no_such_function"})";
  Record const record = outcome("store", breaks);
  CHECK(record.outcome == Outcome::unviable);
  CHECK(record.exit_code() == 7);
  CHECK(record.gates.empty());
  CHECK(record.build.error.find("no_such_function") != std::string::npos);
  CHECK(outcome("store", breaks, R"("reds":{"build":"no_such_function"})").outcome == Outcome::killed_by_build);
  CHECK(outcome("store", breaks, R"("reds":{"build":"another message"})").outcome == Outcome::wrong_reason);
  CHECK(outcome("store", Project::swap, R"("reds":{"build":"another message"})").outcome == Outcome::survived);
}

TEST_CASE("a mutant that changes no program is equivalent where its line is compiled, and not reached where it is not", "[run]") {
  Record const same = outcome("store", R"("replace_expression":{"expression":"total * 2","with":"2 * total"})");
  CHECK(same.outcome == Outcome::equivalent);
  CHECK_FALSE(same.as_declared);
  CHECK(same.exit_code() == 2);
  CHECK(same.gates.empty());
  Project project;
  project.add_mutant("g/m", R"("edit":{"file":"src/unused.cpp","text":{"find":"n + 1","replace":"n + 2"}},)" + Project::reds);
  Record const unused = project.outcome_of("g/m");
  CHECK(unused.outcome == Outcome::not_reached);
  CHECK(unused.exit_code() == 2);
}

TEST_CASE("a declared equivalent is shown by its witness", "[run]") {
  std::string const other_code = R"("replace_operator":{"expression":"k < 0","with":"<="})";
  Record const by_gate = outcome("store", other_code, R"("equivalent":{"witness":{"gate":"both"}})");
  CHECK(by_gate.outcome == Outcome::equivalent);
  CHECK(by_gate.as_declared);
  CHECK(outcome("store", other_code, R"("equivalent":{"witness":{"argv":["sh","-c","out/prog | grep -q 24"]}})").as_declared);
  // A witness that is killed, or that cannot be started, shows nothing.
  for (const char* argv :
       {R"(["sh","-c","kill -9 $$"])", R"(["sh","-c","exit 1"])", R"(["sh","-c","exit 255"])", R"(["no/such/program"])"}) {
    Record const shown = outcome("store", other_code, R"("equivalent":{"witness":{"argv":)" + std::string(argv) + "}}");
    INFO(argv);
    CHECK(shown.outcome == Outcome::survived);
    CHECK_FALSE(shown.as_declared);
  }
  Record const differs = outcome("store", Project::swap, R"("equivalent":{"witness":{"gate":"both"}})");
  CHECK(differs.outcome == Outcome::survived);
  CHECK_FALSE(differs.as_declared);
  CHECK_FALSE(outcome("store", Project::swap, R"("equivalent":{"witness":{"argv":["sh","-c","out/prog | grep -q 24"]}})").as_declared);
}

TEST_CASE("a gate under a mutant cannot write outside the lab", "[run]") {
  Project project;
  std::string const target = (project.root() / "written_by_a_gate").string();
  project.write("gates/exits.gate.json",
                R"({"id":"exits","claim":"c","theorem":"t","subjects":["cpu"],"run":{"argv":["sh","-c","echo x > ')" + target +
                    R"('; $REDPROOF_BIN/prog | grep -q '^24'"]},"laws":[],"surface":[],"needs":[],"timeout_s":3,"blind_spots":[]})");
  project.add_edit("g/m", "store", Project::swap, R"("reds":[{"gate":"exits"}])");
  Record const record = project.outcome_of("g/m");
  CHECK(record.outcome == Outcome::killed);
  CHECK(record.gates.at(0).exit_code_only);
  if (record.gates.at(0).confined) CHECK_FALSE(std::filesystem::exists(target));
}

TEST_CASE("a gate under a mutant has a network of its own, unless its file asks for the machine's", "[run]") {
  if (!redproof::gates::can_leave_network()) return skip_case("this kernel lets nobody leave the network");
  Project project;
  std::string const ours = std::filesystem::read_symlink("/proc/self/ns/net").string();
  auto const add_gate = [&](const std::string& id, const std::string& relation, const std::string& network) {
    project.write("gates/" + id + ".gate.json",
                  R"({"id":")" + id +
                      R"(","claim":"c","theorem":"t","subjects":["cpu"],"run":{"argv":["sh","-c","test $(readlink )"
                      "/proc/self/ns/net) " +
                      relation + " '" + ours + R"(' && $REDPROOF_BIN/prog | grep -q '^24'"]},"network":)" + network +
                      R"(,"laws":[],"surface":[],"needs":[],"timeout_s":3,"blind_spots":[]})");
  };
  add_gate("alone", "!=", "false");
  add_gate("open", "=", "true");
  project.add_edit("g/m", "store", Project::swap, R"("reds":[{"gate":"alone"},{"gate":"open"}])");
  RunReport const report = project.run();
  INFO(report.records.at(0).reason);
  CHECK(report.records.at(0).outcome == Outcome::killed);
  CHECK(std::find(report.notes.begin(), report.notes.end(), network_not_shut) == report.notes.end());
}
