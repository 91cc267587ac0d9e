#include "gates/runner/report.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"
#include "tests/gates/sample_report.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

RunReport with(std::vector<Verdict> verdicts) {
  RunReport report;
  for (auto const verdict : verdicts) {
    report.gates.push_back(shell_gate("g" + std::to_string(report.gates.size()), ""));
    GateResult result;
    result.id = report.gates.back().id;
    result.verdict = verdict;
    report.results.push_back(result);
  }
  return report;
}

}  // namespace

TEST_CASE("the exit code of a run is the loudest of its verdicts", "[report]") {
  CHECK(exit_code_of(with({Verdict::green, Verdict::attested})) == 0);
  CHECK(exit_code_of(with({Verdict::green, Verdict::red, Verdict::broken})) == 2);
  for (auto const verdict : {Verdict::vacuous, Verdict::skipped, Verdict::unattested, Verdict::broken})
    CHECK(exit_code_of(with({Verdict::green, verdict})) == 8);
}

TEST_CASE("an empty set is never green, and an interrupt is louder than anything", "[report]") {
  CHECK(exit_code_of(with({})) == 8);
  auto report = with({Verdict::red});
  report.interrupted = true;
  CHECK(exit_code_of(report) == 130);
  report = with({});
  report.interrupted = true;
  CHECK(exit_code_of(report) == 130);
}

TEST_CASE("the closing lines add up to the number of gates", "[report]") {
  CHECK(closing_lines(with({Verdict::green, Verdict::green})) == "2 green, 0 red, 0 vacuous, 0 skipped, 0 broken\ngates: 2 of 2 green\n");
  CHECK(closing_lines(sample_report()) ==
        "2 green, 1 attested, 2 red, 1 vacuous, 1 skipped, 1 unattested, 1 broken\ngates: 3 of 9 green\n");
  CHECK(closing_lines(with({})) == "0 green, 0 red, 0 vacuous, 0 skipped, 0 broken\ngates: 0 of 0 green\n");
}

TEST_CASE("an interrupted run says how many gates had ended", "[report]") {
  auto report = with({Verdict::green, Verdict::green});
  report.results.pop_back();
  report.interrupted = true;
  CHECK(closing_lines(report) == "interrupted: 1 of 2 gates ended\n1 green, 0 red, 0 vacuous, 0 skipped, 0 broken\ngates: 1 of 2 green\n");
}

TEST_CASE("a result finds the gate it is of", "[report]") {
  auto const report = sample_report();
  REQUIRE(gate_of(report, "b_red") != nullptr);
  CHECK(gate_of(report, "b_red")->id == "b_red");
  CHECK(gate_of(report, "none") == nullptr);
}
