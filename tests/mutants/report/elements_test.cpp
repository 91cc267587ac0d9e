#include <cstdlib>
#include <filesystem>
#include <map>

#include "gates/runner/json_document.h"
#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/report/sample.h"
#include "tests/mutants/report/schema_check.h"
#include "tests/skip.h"

using namespace redproof::mutants;

namespace {

RunReport every_outcome() {
  RunReport report = test::sample_report();
  PlannedMutant planned = report.plan.mutants.front();
  report.plan.mutants.clear();
  report.records.clear();
  for (Outcome const outcome : all_outcomes) {
    planned.mutant.id = std::string("g/") + std::string(word(outcome));
    report.plan.mutants.push_back(planned);
    Record record;
    record.id = planned.mutant.id;
    record.outcome = outcome;
    record.gates = {GateRecord{}};
    record.gates[0].gate = "pairs";
    record.gates[0].verdict = "red";
    report.records.push_back(record);
  }
  planned.mutant.id = "g/not_run";
  report.plan.mutants.push_back(planned);
  return report;
}

// Of that schema, what a report must have and what its words are.
constexpr const char* needed = R"({"type":"object","required":["schemaVersion","thresholds","files"],"properties":{
 "thresholds":{"type":"object","required":["high","low"]},
 "files":{"type":"object","additionalProperties":{"type":"object","required":["language","source","mutants"],"properties":{"mutants":{"type":"array",
  "items":{"type":"object","required":["id","mutatorName","location","status"],"properties":{"location":{"type":"object","required":["start","end"]},
   "status":{"enum":["Killed","Survived","NoCoverage","CompileError","RuntimeError","Timeout","Ignored","Pending"]}}}}}}}}})";

// The schema is no part of this project: whoever has it says where it lies.
std::filesystem::path schema_file() {
  const char* const named = std::getenv("REDPROOF_REPORT_SCHEMA");
  return named == nullptr ? "" : named;
}

}  // namespace

TEST_CASE("a mutation-testing report holds to the schema of the Stryker projects", "[report]") {
  CHECK(test::violations(elements_report(every_outcome()), needed) == std::vector<std::string>{});
  if (schema_file().empty()) return skip_case("REDPROOF_REPORT_SCHEMA does not name mutation-testing-report-schema.json");
  std::string const schema = test::read(schema_file());
  CHECK(test::violations(elements_report(every_outcome()), schema) == std::vector<std::string>{});
  CHECK(test::violations(elements_report({}), schema) == std::vector<std::string>{});
  CHECK_FALSE(test::violations(R"({"schemaVersion":"2.0","thresholds":{"high":101,"low":80},"files":{}})", schema).empty());
}

TEST_CASE("a mutation-testing report calls killed only what the named gate killed", "[report]") {
  auto const document = redproof::gates::JsonDocument::parse(elements_report(every_outcome()), "elements");
  auto const file = document.root().at("files").at("a, b.cpp");
  CHECK(document.root().at("schemaVersion").text() == "2.0");
  CHECK(file.at("language").text() == "cpp");
  CHECK(file.at("source").text() == "one\ntwo\n");
  std::map<std::string, std::string> statuses;
  for (const auto& mutant : file.at("mutants").items()) {
    statuses[mutant.at("id").text()] = mutant.at("status").text();
    CHECK(mutant.at("location").at("start").at("line").natural() == 2);
    CHECK(mutant.at("location").at("end").at("column").natural() == 4);
    CHECK(mutant.at("mutatorName").text() == "g");
    CHECK(mutant.find("killedBy").has_value() == (mutant.at("status").text() == "Killed"));
  }
  CHECK(statuses == std::map<std::string, std::string>{{"g/killed", "Killed"},
                                                       {"g/killed_by_build", "Killed"},
                                                       {"g/survived", "Survived"},
                                                       {"g/wrong_gate", "Survived"},
                                                       {"g/wrong_reason", "Survived"},
                                                       {"g/collateral", "Survived"},
                                                       {"g/not_reached", "NoCoverage"},
                                                       {"g/crash", "RuntimeError"},
                                                       {"g/oom", "RuntimeError"},
                                                       {"g/timeout", "Timeout"},
                                                       {"g/unviable", "CompileError"},
                                                       {"g/equivalent", "Ignored"},
                                                       {"g/duplicate", "Ignored"},
                                                       {"g/suppressed", "Ignored"},
                                                       {"g/stale", "Pending"},
                                                       {"g/no_evidence", "Pending"},
                                                       {"g/unproved", "Pending"},
                                                       {"g/not_run", "Pending"}});
}

TEST_CASE("an ending that was declared is a kill in a mutation-testing report, one that was not is none", "[report]") {
  RunReport report = every_outcome();
  for (Record& record : report.records) record.as_declared = true;
  auto const document = redproof::gates::JsonDocument::parse(elements_report(report), "elements");
  std::vector<std::string> killed;
  for (const auto& mutant : document.root().at("files").at("a, b.cpp").at("mutants").items())
    if (mutant.at("status").text() == "Killed") killed.push_back(mutant.at("id").text());
  CHECK(killed == std::vector<std::string>{"g/killed", "g/killed_by_build", "g/crash", "g/timeout", "g/oom"});
}

TEST_CASE("a mutation-testing report names the gates that ran, those that were red, and milliseconds", "[report]") {
  RunReport report = test::sample_report();
  for (const char* verdict : {"green", "red", "broken"}) {
    report.records[0].gates.emplace_back();
    report.records[0].gates.back().gate = std::string("is_") + verdict;
    report.records[0].gates.back().verdict = verdict;
  }
  auto const document = redproof::gates::JsonDocument::parse(elements_report(report), "elements");
  auto const killed = document.root().at("files").at("a, b.cpp").at("mutants").items().at(0);
  CHECK(killed.at("killedBy").texts() == std::vector<std::string>{"is_red"});
  CHECK(killed.at("coveredBy").texts() == std::vector<std::string>{"is_green", "is_red", "is_broken"});
  CHECK(killed.at("testsCompleted").natural() == 3);
  CHECK(killed.at("duration").number() == 1500);
}

TEST_CASE("a mutation-testing report names the language of a file by its ending", "[report]") {
  auto const [path, language] = GENERATE(table<std::string, std::string>({{"a.c", "c"},
                                                                          {"a.cc", "cpp"},
                                                                          {"a.b.cpp", "cpp"},
                                                                          {"a.cu", "cpp"},
                                                                          {"a.cuh", "cpp"},
                                                                          {"a.h", "cpp"},
                                                                          {"a.hpp", "cpp"},
                                                                          {"a.py", "python"},
                                                                          {"a.sh", "bash"},
                                                                          {"a.json", "none"},
                                                                          {"Makefile", "none"}}));
  RunReport report = test::sample_report();
  report.plan.mutants.front().finding.files.front().path = path;
  auto const document = redproof::gates::JsonDocument::parse(elements_report(report), "elements");
  CHECK(document.root().at("files").at(path).at("language").text() == language);
}
