#include "mutants/driver/merge/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gates/runner/printable.h"
#include "gates/runner/read_file.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/merge/sources.h"
#include "mutants/driver/run/output_folder.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

std::string name(const Part& part) { return gates::printable(part.folder.string()); }

void check_alike(const Part& first, const Part& other) {
  auto const alike = [&](bool equal, const char* what) {
    if (!equal) throw gates::Refusal(fmt::format("merge: {} and {} are of different {}", name(first), name(other), what));
  };
  alike(first.plan.tree_sha256 == other.plan.tree_sha256, "trees");
  alike(first.shard.catalog_sha256 == other.shard.catalog_sha256, "catalogues");
  alike(first.plan.seed == other.plan.seed, "seeds");
  alike(first.plan.timeout_factor == other.plan.timeout_factor, "limits (--timeout-factor)");
  alike(first.plan.matrix == other.plan.matrix, "matrices (--matrix)");
  alike(first.plan.planting == other.plan.planting, "plantings");
  alike(first.shard.selected == other.shard.selected, "selections");
  alike(first.shard.shard.count == other.shard.shard.count, "numbers of shards");
}

void check_all_there(const std::vector<Part>& parts) {
  std::vector<std::string> missing;
  Shard shard = parts.front().shard.shard;
  for (shard.index = 1; shard.index <= shard.count; ++shard.index)
    if (std::none_of(parts.begin(), parts.end(), [&](const Part& part) { return part.shard.shard == shard; }))
      missing.push_back(text_of(shard));
  if (missing.size() > 10) missing.resize(10);
  if (!missing.empty()) throw gates::Refusal(fmt::format("merge: no folder of shard {}", fmt::join(missing, ", ")));
}

// A folder that was edited, or put together of two, holds what its shard does not.
void check_members(const Part& part) {
  std::vector<std::string> members, planned;
  for (std::size_t i = 0; i < part.shard.selected.size(); ++i)
    if (part.shard.shard.holds(i)) members.push_back(part.shard.selected[i]);
  for (const PlannedMutant& mutant : part.plan.mutants) planned.push_back(mutant.mutant.id);
  if (planned != members)
    throw gates::Refusal(fmt::format("merge: {}: its plan is not that of shard {}", name(part), text_of(part.shard.shard)));
  for (const Record& record : part.records) {
    auto const found = std::find(planned.begin(), planned.end(), record.id);
    if (found == planned.end())
      throw gates::Refusal(fmt::format("merge: {}: {} is in its outcomes and not in its plan", name(part), gates::printable(record.id)));
    if (record.key != part.plan.mutants[static_cast<std::size_t>(found - planned.begin())].key)
      throw gates::Refusal(fmt::format("merge: {}: {} is of other inputs than its plan", name(part), gates::printable(record.id)));
  }
}

struct Known {
  const Part* part = nullptr;
  const PlannedMutant* planned = nullptr;
  const Record* record = nullptr;
};

// The same shard may be there twice, run again or copied.
std::map<std::string, Known> collect(const std::vector<Part>& parts) {
  std::map<std::string, Known> known;
  for (const Part& part : parts) {
    for (const PlannedMutant& planned : part.plan.mutants) {
      Known& mutant = known[planned.mutant.id];
      if (mutant.part == nullptr) mutant = {&part, &planned, nullptr};
    }
    for (const Record& record : part.records) {
      Known& mutant = known[record.id];
      if (mutant.record != nullptr && (mutant.record->outcome != record.outcome || mutant.record->as_declared != record.as_declared))
        throw gates::Refusal(fmt::format("merge: {} is {} in {} and {} in {}", record.id, word(mutant.record->outcome), name(*mutant.part),
                                         word(record.outcome), name(part)));
      if (mutant.record == nullptr) mutant.record = &record;
    }
  }
  return known;
}

template <typename T>
void add_each_once(const std::vector<T>& from, std::vector<T>& to) {
  for (const T& item : from)
    if (std::find(to.begin(), to.end(), item) == to.end()) to.push_back(item);
}

}  // namespace

Merged merge(const std::vector<Part>& parts, const fs::path& root) {
  if (parts.empty()) throw gates::Refusal("merge: no folder");
  for (const Part& part : parts) {
    check_alike(parts.front(), part);
    check_members(part);
  }
  check_all_there(parts);
  auto const known = collect(parts);
  Merged merged;
  merged.selection = {parts.front().shard.catalog_sha256, parts.front().shard.selected, {}};
  RunReport& report = merged.report;
  report.plan = parts.front().plan;
  report.plan.root = root;
  report.plan.mutants.clear();
  for (const std::string& id : merged.selection.selected) {
    const Known& mutant = known.at(id);
    report.plan.mutants.push_back(*mutant.planned);
    restore_sources(mutant.part->folder, root, report.plan.mutants.back());
    if (mutant.record != nullptr) report.records.push_back(*mutant.record);
  }
  for (const Part& part : parts) {
    add_each_once(part.end.exit_codes, report.exit_codes);
    add_each_once(part.end.notes, report.notes);
    report.seconds += part.end.seconds;
  }
  return merged;
}

void write_merged(const Merged& merged, const std::vector<Part>& parts, const fs::path& out) {
  OutputFolder folder(out);
  folder.write_plan(to_json(merged.report.plan));
  folder.write_document("selection.json", to_json(merged.selection));
  for (const Record& record : merged.report.records) folder.append(record);
  for (const Part& part : parts) copy_kept(part.folder, out);
  folder.write_document("end.json", to_json(EndRecord{merged.report.exit_codes, merged.report.notes, merged.report.seconds}));
}

}  // namespace redproof::mutants
