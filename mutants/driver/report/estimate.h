// How long a run may take, from what an earlier one took.
#pragma once
#include <map>
#include <string>

#include "mutants/driver/plan/plan.h"

namespace redproof::mutants {

// A line. `seconds` by mutant id, of an earlier run; a mutant that it does not hold counts as the middle one of those that it holds.
std::string estimate(const Plan& plan, const std::map<std::string, double>& seconds, unsigned jobs);

}  // namespace redproof::mutants
