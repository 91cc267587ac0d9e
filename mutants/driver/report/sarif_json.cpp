#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gates/runner/exit_code.h"
#include "mutants/driver/plant/sha256.h"
#include "mutants/driver/report/findings.h"
#include "mutants/driver/report/place.h"
#include "mutants/driver/report/report.h"

namespace redproof::mutants {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema_address = "https://json.schemastore.org/sarif-2.1.0.json";

// What a reader of code scanning is told of each kind of result.
std::string_view meaning(Outcome outcome) {
  switch (outcome) {
    case Outcome::survived:
      return "No gate that ran saw the defect.";
    case Outcome::not_reached:
      return "No gate reaches the defect, or no program that was built holds it.";
    case Outcome::wrong_gate:
      return "Another gate than the one named for it saw the defect.";
    case Outcome::wrong_reason:
      return "The gate named for the defect failed, but not in the law that was to see it.";
    case Outcome::collateral:
      return "A gate that was to stay green under the defect did not.";
    case Outcome::stale:
      return "The mutant no longer applies, or applies at more than one place.";
    case Outcome::unviable:
      return "The mutant does not build.";
    case Outcome::equivalent:
    case Outcome::duplicate:
      return "The mutant changes nothing that a gate could see, or what another one changes, and does not say so.";
    case Outcome::no_evidence:
    case Outcome::unproved:
      return "Nothing was shown about the mutant.";
    default:
      return "The mutant ended otherwise than it declares.";
  }
}

std::string_view level(Outcome outcome) {
  return outcome == Outcome::stale || outcome == Outcome::unviable || outcome == Outcome::timeout ? "warning" : "error";
}

std::string escaped_path(const std::string& path) {
  std::string uri;
  for (char const c : path) {
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Json location_of(const MutatedFile& file) {
  Place const place = place_of(file);
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", escaped_path(file.path)}, {"uriBaseId", "%SRCROOT%"}}},
            {"region",
             {{"startLine", place.first_line},
              {"startColumn", place.first_column},
              {"endLine", place.last_line},
              {"endColumn", place.last_column}}}}}};
}

Json rules() {
  Json list = Json::array();
  for (Outcome const outcome : all_outcomes)
    list.push_back(
        {{"id", word(outcome)}, {"shortDescription", {{"text", meaning(outcome)}}}, {"defaultConfiguration", {{"level", level(outcome)}}}});
  return list;
}

Json result_of(const Record& record, const PlannedMutant& planned) {
  Json locations = Json::array();
  for (const MutatedFile& file : planned.finding.files) locations.push_back(location_of(file));
  std::string text = fmt::format("{}: {}", record.id, planned.mutant.defect);
  if (!record.reason.empty()) text += " " + record.reason;
  Json result = {{"ruleId", word(record.outcome)},
                 {"ruleIndex", static_cast<std::size_t>(record.outcome)},
                 {"level", record.as_declared ? "warning" : level(record.outcome)},
                 {"message", {{"text", text}}},
                 {"locations", locations},
                 {"partialFingerprints", {{"mutant/v1", sha256(record.id)}}}};
  return result;
}

}  // namespace

std::string sarif_report(const RunReport& report) {
  Json results = Json::array();
  auto const planned = planned_by_id(report);
  for (const Record& record : report.records)
    if (is_finding(record, planned)) results.push_back(result_of(record, planned_of(record, planned)));
  Json notifications = Json::array();
  for (const std::string& note : report.notes) notifications.push_back({{"level", "note"}, {"message", {{"text", note}}}});
  int const code = report.exit_code();
  bool const ended = code != gates::exit_interrupted && code != gates::exit_internal && code != gates::exit_refused;
  Json const run = {
      {"tool", {{"driver", {{"name", "mutate"}, {"fullName", tool_version}, {"rules", rules()}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"originalUriBaseIds", {{"%SRCROOT%", {{"description", {{"text", "The project's root."}}}}}}},
      {"invocations", Json::array({{{"executionSuccessful", ended}, {"exitCode", code}, {"toolExecutionNotifications", notifications}}})},
      {"results", results}};
  Json const document = {{"$schema", schema_address}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace redproof::mutants
