// Where a function launches kernels.
#pragma once
#include <vector>

#include "mutants/driver/find/edits.h"
#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

// In front of each statement that launches one, the call that tells the device which mutant is active. None in code of a device.
std::vector<Replacement> arms_of(const Scope& scope, const FileSyntax& file);

}  // namespace redproof::mutants
