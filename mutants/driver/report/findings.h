// What a report points at.
#pragma once
#include <map>
#include <string>

#include "mutants/driver/run/run.h"

namespace redproof::mutants {

using PlannedById = std::map<std::string, const PlannedMutant*>;
PlannedById planned_by_id(const RunReport& report);
// One that nothing is known of, where the plan does not hold it.
const PlannedMutant& planned_of(const Record& record, const PlannedById& planned);

// Not as declared; or generated, so that nothing was declared, and alive.
bool is_finding(const Record& record, const PlannedById& planned);
bool is_generated(const Record& record, const PlannedById& planned);

}  // namespace redproof::mutants
