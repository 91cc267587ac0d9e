// The output folders of all shards of one selection, made into what an unsharded run would have left.
#pragma once
#include <filesystem>
#include <vector>

#include "mutants/driver/merge/part.h"
#include "mutants/driver/run/run.h"

namespace redproof::mutants {

struct Merged {
  RunReport report;
  ShardRecord selection;  // of the whole
};

// Throws gates::Refusal, naming the folders, where they are of different trees, catalogues, selections, seeds, limits or plantings, where a
// shard is missing, or where one mutant has two outcomes. `root`: where the sources are.
Merged merge(const std::vector<Part>& parts, const std::filesystem::path& root);
// Plan, outcomes, diffs and logs in a new output folder.
void write_merged(const Merged& merged, const std::vector<Part>& parts, const std::filesystem::path& out);

}  // namespace redproof::mutants
