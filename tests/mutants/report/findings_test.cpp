#include "mutants/driver/report/findings.h"

#include <algorithm>
#include <set>

#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/report/sample.h"

using namespace redproof::mutants;

namespace {

// Of every outcome one, as nothing was declared of it.
RunReport generated_report() {
  RunReport report;
  PlannedMutant planned = test::sample_report().plan.mutants.front();
  planned.mutant.generated = true;
  for (Outcome const outcome : all_outcomes) {
    planned.mutant.id = "g/" + std::string(word(outcome));
    report.plan.mutants.push_back(planned);
    report.records.emplace_back();
    report.records.back().id = planned.mutant.id;
    report.records.back().outcome = outcome;
    report.records.back().as_declared = true;
  }
  return report;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a report points at generated mutants that are alive, and at others that are not as declared", "[report]") {
  RunReport report = generated_report();
  auto planned = planned_by_id(report);
  std::set<std::string> found;
  for (const Record& record : report.records)
    if (is_finding(record, planned)) found.insert(record.id);
  CHECK(found == std::set<std::string>{"g/survived", "g/not_reached"});
  for (PlannedMutant& mutant : report.plan.mutants) mutant.mutant.generated = false;
  planned = planned_by_id(report);
  for (Record& record : report.records) {
    CHECK_FALSE(is_finding(record, planned));
    record.as_declared = false;
    CHECK(is_finding(record, planned));
  }
}

TEST_CASE("a record that the plan does not hold is of a mutant that nothing is known of", "[report]") {
  Record record;
  record.id = "g/elsewhere";
  record.outcome = Outcome::survived;
  record.as_declared = true;
  CHECK(planned_of(record, {}).mutant.id.empty());
  CHECK_FALSE(is_finding(record, {}));
}

TEST_CASE("generated survivors are warnings for code scanning and annotations, and failures for JUnit", "[report]") {
  RunReport const report = generated_report();
  std::string const sarif = sarif_report(report), github = github_report(report), junit = junit_report(report);
  CHECK(count(sarif, "\"ruleId\": \"survived\"") == 1);
  CHECK(count(sarif, "\"ruleId\": \"not_reached\"") == 1);
  CHECK(count(sarif, "\"ruleId\"") == 2);
  CHECK(count(github, "::warning file=a%2C b.cpp,line=2,title=g/") == 2);
  CHECK(count(github, "::error") == 0);
  CHECK(count(junit, "<failure") == 2);
  CHECK_THAT(junit, ContainsSubstring("failures=\"2\" errors=\"0\""));
}

TEST_CASE("that a generated mutant crashes or hangs is no kill in a mutation-testing report", "[report]") {
  std::string const elements = elements_report(generated_report());
  CHECK(count(elements, "\"status\": \"Killed\"") == 2);  // by a law, and by the build
  CHECK(count(elements, "\"status\": \"RuntimeError\"") == 2);
  CHECK(count(elements, "\"status\": \"Timeout\"") == 1);
}
