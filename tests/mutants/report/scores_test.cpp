#include "mutants/driver/report/scores.h"

#include "gates/runner/exit_code.h"
#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/report/sample.h"

using namespace redproof::mutants;

namespace {

void add(RunReport& report, Outcome outcome, bool as_declared, std::vector<GateRecord> gates = {}) {
  Record record;
  record.id = "g/m" + std::to_string(report.records.size());
  record.outcome = outcome;
  record.as_declared = as_declared;
  record.gates = std::move(gates);
  report.records.push_back(record);
  report.plan.mutants.emplace_back();
}

GateRecord gate(const std::string& id, const std::string& verdict, const std::string& role = "red") {
  GateRecord record;
  record.gate = id;
  record.verdict = verdict;
  record.role = role;
  return record;
}

}  // namespace

TEST_CASE("every outcome, declared or not, is in exactly one of the counts", "[report]") {
  RunReport report;
  for (Outcome const outcome : all_outcomes)
    for (bool const as_declared : {true, false}) add(report, outcome, as_declared);
  report.plan.mutants.resize(report.records.size() + 3);
  Scores const scores = scores_of(report);
  CHECK(scores.all() == report.plan.mutants.size());
  CHECK(scores.not_run == 3);
  CHECK(scores.killed == 4 + 3);
  CHECK(scores.ended_otherwise == 6 + 3);
  CHECK(scores.alive == 4);
  CHECK(scores.set_aside == 6);
  CHECK(scores.undecided == 8);
}

TEST_CASE("of generated mutants only a law that goes red kills, and no law was named", "[report]") {
  RunReport report;
  for (Outcome const outcome : {Outcome::killed, Outcome::crash, Outcome::timeout, Outcome::oom, Outcome::survived}) {
    add(report, outcome, true);
    report.plan.mutants.back().mutant.id = report.records.back().id;
    report.plan.mutants.back().mutant.generated = true;
  }
  Scores const scores = scores_of(report);
  CHECK(scores.killed == 1);
  CHECK(scores.ended_otherwise == 3);
  CHECK(scores.alive == 1);
  CHECK(*scores.killed_percent() == 20);
  CHECK(scores.by_named_law == 0);
  CHECK_FALSE(scores.by_named_law_percent());
  CHECK_THAT(human_summary(report), ContainsSubstring("killed: 1 of 5 judged, 20.0 %, by a law that went red\n"));
  CHECK_THAT(human_summary(report), ContainsSubstring("those alive fail no run (exit 0)\n"));
}

TEST_CASE("the share is of those judged, and of none there is no share", "[report]") {
  RunReport report;
  add(report, Outcome::suppressed, true);
  CHECK_FALSE(scores_of(report).killed_percent());
  add(report, Outcome::killed, true);
  add(report, Outcome::crash, true);
  add(report, Outcome::survived, false);
  add(report, Outcome::wrong_gate, false);
  CHECK(*scores_of(report).killed_percent() == 50);
  CHECK(*scores_of(report).by_named_law_percent() == 25);
}

TEST_CASE("killed before a merge is what the build refuses or a gate of that stage sees", "[report]") {
  RunReport report;
  auto const nightly = [](GateRecord gate) {
    gate.stage = "nightly";
    return gate;
  };
  add(report, Outcome::killed, true, {gate("a", "red")});
  add(report, Outcome::killed, true, {nightly(gate("n", "red"))});
  add(report, Outcome::killed, true, {nightly(gate("n", "red")), gate("a", "green", "green")});
  add(report, Outcome::killed, true, {nightly(gate("n", "red")), gate("a", "red")});
  add(report, Outcome::killed_by_build, true);
  add(report, Outcome::crash, true, {gate("a", "broken")});
  add(report, Outcome::crash, true, {nightly(gate("n", "broken"))});
  add(report, Outcome::crash, false, {gate("a", "broken")});
  add(report, Outcome::wrong_gate, false, {gate("a", "red", "other")});
  add(report, Outcome::survived, false, {gate("a", "green")});
  Scores const scores = scores_of(report);
  CHECK(scores.killed == 7);
  CHECK(scores.before_merge == 4);
  CHECK(*scores.before_merge_percent() == 40);
}

TEST_CASE("gates that killed nothing and mutants that one gate kills are known from the records", "[report]") {
  RunReport report;
  add(report, Outcome::killed, true, {gate("a", "red"), gate("b", "green", "green")});
  add(report, Outcome::killed, true, {gate("a", "red"), gate("c", "red")});
  add(report, Outcome::equivalent, true, {gate("w", "green", "witness")});
  add(report, Outcome::collateral, false, {gate("a", "red"), gate("b", "broken", "green")});
  add(report, Outcome::wrong_gate, false, {gate("b", "green"), gate("c", "red", "other")});
  Scores const scores = scores_of(report);
  CHECK(scores.by_one_gate == std::vector<std::string>{"g/m0"});
  CHECK(scores.idle_gates == std::vector<std::string>{"b"});
}

TEST_CASE("of survivors that compile to the same code, all but the first are counted", "[report]") {
  RunReport report;
  for (std::string const code : {"a", "", "b", "a", "", "a"}) {
    add(report, Outcome::survived, true);
    report.records.back().code = code;
  }
  add(report, Outcome::equivalent, true);
  report.records.back().code = "b";
  CHECK(scores_of(report).twins == std::vector<std::string>{"g/m3", "g/m5"});
}

TEST_CASE("few gates that kill all that were killed are named, the one that kills most first", "[report]") {
  RunReport report;
  CHECK(scores_of(report).killing_set.empty());
  add(report, Outcome::killed, true, {gate("a", "red"), gate("b", "red")});
  add(report, Outcome::killed, true, {gate("b", "red"), gate("c", "red", "other")});
  add(report, Outcome::killed, true, {gate("a", "green"), gate("d", "red"), gate("b", "broken")});
  add(report, Outcome::collateral, false, {gate("e", "red")});
  CHECK(scores_of(report).killing_set == std::vector<std::string>{"b", "d"});
}

TEST_CASE("a share below the threshold is exit 11, and no share is exit 8", "[report]") {
  RunReport report;
  add(report, Outcome::killed, true);
  add(report, Outcome::timeout, true);
  hold_to_threshold(100, report);
  CHECK(report.exit_code() == redproof::gates::exit_as_declared);
  add(report, Outcome::survived, true);
  hold_to_threshold(66, report);
  CHECK(report.exit_code() == redproof::gates::exit_as_declared);
  hold_to_threshold(67, report);
  CHECK(report.exit_code() == redproof::gates::exit_threshold);
  RunReport none;
  add(none, Outcome::suppressed, true);
  hold_to_threshold(0, none);
  CHECK(none.exit_code() == redproof::gates::exit_no_evidence);
}
