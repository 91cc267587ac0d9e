#include <nlohmann/json.hpp>

#include "mutants/driver/report/json_records.h"
#include "mutants/driver/report/report.h"

namespace redproof::mutants {

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
                         {"notes", report.notes},
                         {"seconds", report.seconds},
                         {"exit_code", report.exit_code()}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace redproof::mutants
