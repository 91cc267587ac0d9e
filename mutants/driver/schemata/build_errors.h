// Which mutants keep a rewritten tree from building.
#pragma once
#include <map>
#include <set>
#include <string>

#include "mutants/driver/schemata/rewrite.h"

namespace redproof::mutants {

// By mutant: the compiler's line. A copy that does not compile takes all mutants of its function with it, and so does a function that the
// assembler of device code refuses; any other error in a rewritten file takes all mutants of the file. Empty where the log names none of
// them.
std::map<unsigned, std::string> mutants_to_leave_out(const std::string& log, const Rewritten& rewritten);

}  // namespace redproof::mutants
