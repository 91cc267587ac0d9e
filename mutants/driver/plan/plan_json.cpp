#include <nlohmann/json.hpp>

#include "mutants/driver/plan/plan.h"

namespace redproof::mutants {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const PlannedMutant& planned) {
  Json files = Json::array();
  for (const MutatedFile& file : planned.finding.files)
    files.push_back({{"path", file.path}, {"before", file.before_sha256}, {"after", file.after_sha256}});
  Json reds = Json::array();
  for (const Red& red : planned.mutant.reds) reds.push_back({{"gate", red.gate}, {"law", red.law}, {"message", red.message}});
  return {{"id", planned.mutant.id},
          {"defect", planned.mutant.defect},
          {"key", planned.key},
          {"files", files},
          {"stale", planned.finding.stale},
          {"broken", planned.finding.broken},
          {"suppressed", planned.mutant.suppressed},
          {"targets", planned.mutant.targets},
          {"reds", reds},
          {"keeps_green", planned.mutant.keeps_green},
          {"expects", word(planned.mutant.expects)},
          {"generated", planned.mutant.generated},
          {"equivalent", planned.mutant.equivalent},
          {"witness_gate", planned.mutant.witness.gate}};
}

}  // namespace

std::string to_json(const Plan& plan) {
  Json mutants = Json::array();
  for (const PlannedMutant& planned : plan.mutants) mutants.push_back(json_of(planned));
  Json const document = {{"schema", "redproof.plan.1"},
                         {"tool", tool_version},
                         {"root", plan.root.string()},
                         {"tree_sha256", plan.tree_sha256},
                         {"planting", plan.planting},
                         {"seed", plan.seed},
                         {"timeout_factor", plan.timeout_factor},
                         {"matrix", plan.matrix},
                         {"targets", plan.targets()},
                         {"mutants", mutants}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace redproof::mutants
