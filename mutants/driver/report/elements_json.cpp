// mutation-testing-report-schema 2: what the Stryker projects' viewer shows.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "mutants/driver/report/place.h"
#include "mutants/driver/report/report.h"

namespace redproof::mutants {
namespace {

using Json = nlohmann::ordered_json;

// The schema has eight words. What only another gate or another law saw is no kill here, and what nothing decided stays pending.
// Of a generated mutant nothing was declared: that it crashes is no kill.
std::string_view status_of(const Record* record, bool generated) {
  if (record == nullptr) return "Pending";
  switch (record->outcome) {
    case Outcome::killed:
    case Outcome::killed_by_build:
      return "Killed";
    case Outcome::survived:
    case Outcome::wrong_gate:
    case Outcome::wrong_reason:
    case Outcome::collateral:
      return "Survived";
    case Outcome::not_reached:
      return "NoCoverage";
    case Outcome::crash:
    case Outcome::oom:
      return record->as_declared && !generated ? "Killed" : "RuntimeError";
    case Outcome::timeout:
      return record->as_declared && !generated ? "Killed" : "Timeout";
    case Outcome::unviable:
      return "CompileError";
    case Outcome::equivalent:
    case Outcome::duplicate:
    case Outcome::suppressed:
      return "Ignored";
    case Outcome::stale:
    case Outcome::no_evidence:
    case Outcome::unproved:
      break;
  }
  return "Pending";
}

std::string language_of(const std::string& path) {
  static const std::map<std::string, std::string> languages{{"c", "c"},   {"cc", "cpp"},  {"cpp", "cpp"},   {"cu", "cpp"}, {"cuh", "cpp"},
                                                            {"h", "cpp"}, {"hpp", "cpp"}, {"py", "python"}, {"sh", "bash"}};
  auto const found = languages.find(path.substr(path.rfind('.') + 1));
  return found == languages.end() ? "none" : found->second;
}

Json position(std::size_t line, std::size_t column) { return {{"line", line}, {"column", column}}; }

void add_gates(const Record& record, Json& mutant) {
  Json ran = Json::array(), red = Json::array();
  for (const GateRecord& gate : record.gates) {
    ran.push_back(gate.gate);
    if (gate.verdict == "red") red.push_back(gate.gate);
  }
  mutant["coveredBy"] = ran;
  if (mutant["status"] == "Killed") mutant["killedBy"] = red;
  mutant["testsCompleted"] = record.gates.size();
  mutant["duration"] = record.seconds * 1000;
  mutant["statusReason"] =
      record.reason.empty() ? std::string(word(record.outcome)) : std::string(word(record.outcome)) + ": " + record.reason;
}

Json mutant_of(const PlannedMutant& planned, const Record* record) {
  Place const place = place_of(planned.finding.files.front());
  Json mutant = {
      {"id", planned.mutant.id},
      {"mutatorName", planned.mutant.id.substr(0, planned.mutant.id.find('/'))},
      {"description", planned.mutant.defect},
      {"location", {{"start", position(place.first_line, place.first_column)}, {"end", position(place.last_line, place.last_column)}}},
      {"replacement", place.replacement},
      {"status", status_of(record, planned.mutant.generated)}};
  if (record != nullptr) add_gates(*record, mutant);
  return mutant;
}

// Gates stand where the schema has tests.
Json tests_of(const RunReport& report) {
  std::set<std::string> gates;
  for (const Record& record : report.records)
    for (const GateRecord& gate : record.gates) gates.insert(gate.gate);
  Json tests = Json::array();
  for (const std::string& gate : gates) tests.push_back({{"id", gate}, {"name", gate}});
  return {{"gates", {{"tests", tests}}}};
}

}  // namespace

std::string elements_report(const RunReport& report) {
  std::map<std::string, const Record*> records;
  for (const Record& record : report.records) records[record.id] = &record;
  Json files = Json::object();
  for (const PlannedMutant& planned : report.plan.mutants) {
    if (planned.finding.files.empty()) continue;
    const MutatedFile& file = planned.finding.files.front();
    if (!files.contains(file.path))
      files[file.path] = {{"language", language_of(file.path)}, {"source", file.before}, {"mutants", Json::array()}};
    auto const found = records.find(planned.mutant.id);
    files[file.path]["mutants"].push_back(mutant_of(planned, found == records.end() ? nullptr : found->second));
  }
  Json const document = {{"schemaVersion", "2.0"},
                         {"thresholds", {{"high", 100}, {"low", 80}}},
                         {"projectRoot", report.plan.root.string()},
                         {"framework", {{"name", "Redproof mutate"}, {"version", tool_version}}},
                         {"testFiles", tests_of(report)},
                         {"files", files}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace redproof::mutants
