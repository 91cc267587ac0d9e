#include "mutants/driver/report/findings.h"

namespace redproof::mutants {

PlannedById planned_by_id(const RunReport& report) {
  PlannedById planned;
  for (const PlannedMutant& mutant : report.plan.mutants) planned.emplace(mutant.mutant.id, &mutant);
  return planned;
}

const PlannedMutant& planned_of(const Record& record, const PlannedById& planned) {
  static const PlannedMutant unknown;
  auto const found = planned.find(record.id);
  return found == planned.end() ? unknown : *found->second;
}

bool is_generated(const Record& record, const PlannedById& planned) { return planned_of(record, planned).mutant.generated; }

bool is_finding(const Record& record, const PlannedById& planned) {
  if (!record.as_declared) return true;
  bool const is_alive = record.outcome == Outcome::survived || record.outcome == Outcome::not_reached;
  return is_alive && is_generated(record, planned);
}

}  // namespace redproof::mutants
