// What the output folder of one shard says beside its plan and its outcomes: what it is a part of, and how it ended.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "mutants/driver/plan/plan.h"
#include "mutants/driver/record.h"
#include "mutants/driver/select/shard.h"

namespace redproof::mutants {

// selection.json
struct ShardRecord {
  std::string catalog_sha256;
  std::vector<std::string> selected;  // ids, of all shards together
  Shard shard;
};

// end.json: written last. A run that was killed has none.
struct EndRecord {
  std::vector<int> exit_codes;  // of what concerns the run as a whole
  std::vector<std::string> notes;
  double seconds = 0;
};

std::string to_json(const ShardRecord& record);
std::string to_json(const EndRecord& record);

struct Part {
  std::filesystem::path folder;
  Plan plan;  // its findings hold paths and hashes only
  ShardRecord shard;
  EndRecord end;
  std::vector<Record> records;
};

// All of a folder that a run left. Throws gates::Refusal naming the file where it is none, where it is of another version, where a line is
// no outcome, or where the run did not end.
Part read_part(const std::filesystem::path& folder);

// The diffs and logs of a part.
void copy_kept(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace redproof::mutants
