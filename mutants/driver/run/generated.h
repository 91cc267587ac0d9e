// The mutants that operators make, as the inputs of a run.
#pragma once
#include <string>
#include <vector>

#include "mutants/driver/run/prepare.h"

namespace redproof::mutants {

// Fills inputs.mutants and inputs.selected by all that narrows a run, and answers a finding for each. `find` has the tree that is parsed.
// Where a file that is included is not there, `build_first` may make it.
// What a reader should know is added to `notes`, files of which nothing can be said to `broken`. Throws gates::Refusal.
std::vector<Finding> generate_inputs(const RunOptions& options, const FindOptions& find, Inputs& inputs, std::vector<std::string>& notes,
                                     std::vector<std::string>& broken, const BuildFirst& build_first);

}  // namespace redproof::mutants
