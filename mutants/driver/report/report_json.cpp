#include <nlohmann/json.hpp>

#include "mutants/driver/report/json_records.h"
#include "mutants/driver/report/report.h"
#include "mutants/driver/report/scores.h"

namespace redproof::mutants {

namespace {

nlohmann::ordered_json percent(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

// Null stands for the share of nothing.
nlohmann::ordered_json json_of(const Scores& scores) {
  return {{"killed", scores.killed},
          {"ended_otherwise", scores.ended_otherwise},
          {"alive", scores.alive},
          {"undecided", scores.undecided},
          {"set_aside", scores.set_aside},
          {"not_run", scores.not_run},
          {"all", scores.all()},
          {"judged", scores.judged()},
          {"killed_percent", percent(scores.killed_percent())},
          {"by_named_law", scores.by_named_law},
          {"by_named_law_percent", percent(scores.by_named_law_percent())},
          {"before_merge", scores.before_merge},
          {"before_merge_percent", percent(scores.before_merge_percent())},
          {"by_one_gate", scores.by_one_gate},
          {"twins", scores.twins},
          {"idle_gates", scores.idle_gates},
          {"killing_set", scores.killing_set}};
}

}  // namespace

std::string json_report(const RunReport& report) {
  using Json = nlohmann::ordered_json;
  Json mutants = Json::array();
  Json sums = Json::object();
  for (Outcome const outcome : all_outcomes) sums[std::string(word(outcome))] = 0;
  for (const Record& record : report.records) {
    mutants.push_back(json_of(record));
    sums[std::string(word(record.outcome))] = sums[std::string(word(record.outcome))].get<int>() + 1;
  }
  sums["not_run"] = report.plan.mutants.size() - report.records.size();
  sums["all"] = report.plan.mutants.size();
  Json const document = {{"schema", "redproof.mutate.1"},
                         {"tool", tool_version},
                         {"root", report.plan.root.string()},
                         {"tree_sha256", report.plan.tree_sha256},
                         {"planting", report.plan.planting},
                         {"seed", report.plan.seed},
                         {"mutants", mutants},
                         {"sums", sums},
                         {"scores", json_of(scores_of(report))},
                         {"notes", report.notes},
                         {"seconds", report.seconds},
                         {"exit_code", report.exit_code()}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace redproof::mutants
