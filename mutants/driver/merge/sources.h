// The mutated sources of a finished run, made again from the diffs that it left and the tree it ran on.
#pragma once
#include <filesystem>

#include "mutants/driver/plan/plan.h"

namespace redproof::mutants {

// Fills in what the files of `planned` were before and after. Throws gates::Refusal where the tree at `root` or the diff is another.
void restore_sources(const std::filesystem::path& folder, const std::filesystem::path& root, PlannedMutant& planned);

}  // namespace redproof::mutants
