#include "tests/mutants/report/sample.h"

namespace redproof::mutants::test {
namespace {

void add(RunReport& report, const std::string& id, Outcome outcome, bool as_declared, const std::string& reason) {
  PlannedMutant planned;
  planned.mutant.id = id;
  planned.mutant.defect = "a defect";
  planned.finding.files = {{"a, b.cpp", "one\ntwo\n", "one\nTWO\n", "h1", "h2"}};
  report.plan.mutants.push_back(planned);
  Record record;
  record.id = id;
  record.outcome = outcome;
  record.as_declared = as_declared;
  record.reason = reason;
  record.seconds = 1.5;
  report.records.push_back(record);
}

}  // namespace

RunReport sample_report() {
  RunReport report;
  report.plan.root = "/root";
  add(report, "g/killed", Outcome::killed, true, "");
  add(report, "g/survivor", Outcome::survived, false, "gate <a> & \"b\" stayed\ngreen 100%");
  add(report, "g/stale", Outcome::stale, false, "nowhere \x1b[31m");
  add(report, "g/later", Outcome::suppressed, true, "needs a device");
  report.plan.mutants.push_back(report.plan.mutants.back());
  report.notes = {"one note"};
  report.seconds = 3;
  return report;
}

}  // namespace redproof::mutants::test
