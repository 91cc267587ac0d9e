#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/report/sample.h"

using namespace redproof::mutants;

TEST_CASE("the table's counts add up to all mutants, those not run included", "[report]") {
  std::string const text = human_summary(test::sample_report());
  CHECK_THAT(text, ContainsSubstring("  killed              1   1 as declared\n"));
  CHECK_THAT(text, ContainsSubstring("  survived            1   0 as declared\n"));
  CHECK_THAT(text, ContainsSubstring("  not run             1\n"));
  CHECK_THAT(text, ContainsSubstring("  all                 5\n"));
  CHECK_THAT(text, ContainsSubstring("killed: 1 of 2 judged, 50.0 %; in the named gate's law: 1, 50.0 %\n"
                                     "killed by what runs before a merge: 0 of 2 judged, 0.0 %\n"));
  CHECK_THAT(text, ContainsSubstring("not as declared:\n  survived        g/survivor: "));
  CHECK_THAT(text, ContainsSubstring("note: one note\n"));
  CHECK_THAT(text, ContainsSubstring("not all as declared (exit 2)\n"));
}

TEST_CASE("control characters of others never reach the terminal", "[report]") {
  RunReport const report = test::sample_report();
  CHECK(human_summary(report).find('\x1b') == std::string::npos);
  CHECK(record_line(report.records[2]).find('\x1b') == std::string::npos);
  CHECK(record_line(report.records[1]).find('\n') == std::string::npos);
}

TEST_CASE("a mutant's detail shows diff, hashes, build, programs, gate and figures", "[report]") {
  RunReport const report = test::sample_report();
  Record record = report.records[0];
  record.files = {{"a.cpp", "h1", "h2", "h1"}};
  record.build = {true, 0, 2.5, ""};
  record.programs = {{"out/p", "aaaa", "bbbb"}};
  GateRecord gate;
  gate.gate = "pairs";
  gate.role = "red";
  gate.verdict = "red";
  gate.law = "bytes";
  gate.elements = 7;
  gate.worst = WorstRecord{"lane 3", "x=1", "0x3A", "0x38", 1, 0};
  record.gates = {gate};
  std::string const text = record_detail(record, report.plan.mutants[0]);
  for (const char* part :
       {"-two\n+TWO\n", "sha256 before   h1", "mutated  h2", "restored h1", "build: exit 0, 2.5 s", "out/p: aaaa -> bbbb",
        "gate pairs (red): red, 7 elements", "worst element: lane 3", "observed 0x3A  truth 0x38", "outcome: killed, as declared"})
    CHECK_THAT(text, ContainsSubstring(part));
}

TEST_CASE("a check says how many edits apply", "[report]") {
  RunReport report = test::sample_report();
  report.records = {report.records[2]};
  CHECK_THAT(check_summary(report), ContainsSubstring("4 of 5 mutants apply exactly once"));
  CHECK_THAT(check_summary(report), ContainsSubstring("(exit 7)"));
}
