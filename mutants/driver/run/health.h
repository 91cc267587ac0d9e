// Whether the next mutant finds what the pristine tree found.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "mutants/driver/lab/worker.h"
#include "mutants/driver/record.h"

namespace redproof::mutants {

// The gates that ended neither green nor red: what ended them may have stayed.
std::set<std::string> broken_gates(const Record& record);
// Where less memory is available than a gate took on the pristine tree, it would end as it does for want of memory. Empty where there is
// enough, or nobody knows.
std::string lack_of_memory(const GateResults& pristine, std::optional<std::uint64_t> available_bytes);

}  // namespace redproof::mutants
