#include "mutants/driver/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {

std::vector<std::string> Plan::targets() const {
  std::set<std::string> all;
  for (const PlannedMutant& planned : mutants) all.insert(planned.mutant.targets.begin(), planned.mutant.targets.end());
  return {all.begin(), all.end()};
}

std::string key_of(const Plan& plan, const PlannedMutant& planned) {
  // The way of planting is not among them: both ways give the same outcome.
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", tool_version, plan.platform, plan.tree_sha256, planned.mutant.file_sha256,
                                 plan.seed, plan.timeout_factor);
  if (plan.matrix) text += "matrix\n";
  for (const MutatedFile& file : planned.finding.files) text += file.path + ' ' + file.before_sha256 + ' ' + file.after_sha256 + '\n';
  return sha256(text);
}

std::vector<gates::Gate> gates_named(const std::vector<gates::Gate>& gates, const std::vector<std::string>& names) {
  std::vector<gates::Gate> named;
  for (const gates::Gate& gate : gates)
    if (std::find(names.begin(), names.end(), gate.id) != names.end()) named.push_back(gate);
  return named;
}

}  // namespace redproof::mutants
