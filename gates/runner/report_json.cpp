#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gates/runner/report.h"

namespace redproof::gates {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json optional_number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

Json counts(const Counts& counts) {
  Json json = Json::object();
  for (auto const& [name, count] : counts) json[name] = count;
  return json;
}

Json worst(const std::optional<WorstElement>& worst) {
  if (!worst) return nullptr;
  return {{"where", worst->where}, {"inputs", worst->inputs},       {"observed", worst->observed},
          {"truth", worst->truth}, {"error", number(worst->error)}, {"bound", number(worst->bound)}};
}

// The keys of the evidence, and the runner's own verdict of the law beside them.
Json law_entry(const LawEvidence& law) {
  auto const judgement = judge_law(law);
  return {{"law", law.law},
          {"subject", law.subject},
          {"verdict", word(judgement.verdict)},
          {"reported", word(law.verdict)},
          {"reason", judgement.reason},
          {"elements", law.elements},
          {"failures", law.failures},
          {"population", counts(law.population)},
          {"floors", counts(law.floors)},
          {"separates", law.separates},
          {"bound", law.bound},
          {"margin", optional_number(law.margin)},
          {"slack", optional_number(law.slack)},
          {"worst", worst(law.worst)},
          {"reproduce", law.reproduce}};
}

const char* kind_of_evidence(const GateResult& result) {
  if (result.evidence.exit_code_only) return "exit code only";
  return result.evidence.laws.empty() ? "none" : "laws";
}

Json process_entry(const ProcessResult& process) {
  return {{"exit_code", process.exit_code},
          {"signal", process.signal},
          {"timed_out", process.timed_out},
          {"oom", process.oom},
          {"strays", process.strays},
          {"landlock", process.landlock_applied},
          {"network_shut", process.network_shut},
          {"peak_rss_bytes", process.peak_rss_bytes},
          {"output_bytes", process.output_bytes},
          {"output", process.output}};
}

Json gate_entry(const GateResult& result, const Gate* gate) {
  Json laws = Json::array();
  for (auto const& law : result.evidence.laws) laws.push_back(law_entry(law));
  bool const ran = result.verdict != Verdict::skipped || result.process.exit_code >= 0;
  return {{"id", result.id},
          {"claim", gate == nullptr ? "" : gate->claim},
          {"stage", word(result.stage)},
          {"verdict", word(result.verdict)},
          {"reason", result.reason},
          {"evidence", kind_of_evidence(result)},
          {"elements", result.evidence.elements()},
          {"margin", optional_number(result.evidence.least_margin())},
          {"slack", optional_number(result.evidence.most_slack())},
          {"seconds", result.seconds},
          {"process", ran ? process_entry(result.process) : Json(nullptr)},
          {"laws", laws}};
}

Json tally(const RunReport& report) {
  Json json = Json::object();
  for (auto const verdict :
       {Verdict::green, Verdict::attested, Verdict::red, Verdict::vacuous, Verdict::skipped, Verdict::unattested, Verdict::broken})
    json[std::string(word(verdict))] =
        std::count_if(report.results.begin(), report.results.end(), [&](const GateResult& result) { return result.verdict == verdict; });
  json["total"] = report.results.size();
  return json;
}

}  // namespace

std::string json_report(const RunReport& report) {
  Json entries = Json::array();
  for (auto const& result : report.results) entries.push_back(gate_entry(result, gate_of(report, result.id)));
  Json const json = {{"schema", "redproof.gates.1"},
                     {"seed", report.seed},
                     {"subject", report.subject ? Json(*report.subject) : Json(nullptr)},
                     {"gates", entries},
                     {"tally", tally(report)},
                     {"interrupted", report.interrupted},
                     {"exit_code", exit_code_of(report)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace redproof::gates
