// From the whole catalogue to the mutants of this run: by name, place and diff, then sample, then shard.
#pragma once
#include <vector>

#include "mutants/driver/run/prepare.h"

namespace redproof::mutants {

// Fills inputs.mutants and, where no diff is asked for, inputs.selected.
void narrow_by_name(const RunOptions& options, const std::vector<Mutant>& all, Inputs& inputs);
// Where a diff is asked for: drops mutants and their findings that it does not concern. What is stale or does not parse in a file that the
// diff names stays.
void narrow_by_diff(const RunOptions& options, const FindOptions& find, Inputs& inputs, std::vector<Finding>& findings);

}  // namespace redproof::mutants
