// What both running and checking begin with.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "gates/runner/catalog.h"
#include "mutants/driver/lab/lab_config.h"
#include "mutants/driver/run/run.h"

namespace redproof::mutants {

struct Inputs {
  std::vector<Mutant> mutants;        // of this run: what is selected, less other shards
  std::vector<std::string> selected;  // ids, of all shards
  std::vector<std::string> targets;   // of the whole catalogue and lab.json, sorted
  std::string catalog_sha256;         // over every mutant's file
  std::vector<gates::Gate> gates;
  LabConfig lab;
  std::map<std::string, std::string> sha256;  // of lab.json and each gate's file as they were read, by path
};

// Said once of a run.
inline constexpr const char* network_not_shut =
    "nobody could take the network from the gates, as this user may not: mutated programs could reach it";

// Builds the pristine tree that is parsed. False where that cannot be.
using BuildFirst = std::function<bool()>;
// Whether what kept a source from being parsed may be there once the build has made it.
bool lacks_a_file(const std::string& broken);

Inputs load_inputs(const RunOptions& options);
std::filesystem::path lab_config_file(const RunOptions& options);
// A compile database of the user's own tree: the one asked for, the lab's path, or the newest below build/.
std::optional<std::filesystem::path> compile_commands_of(const RunOptions& options, const LabConfig& lab);
// As find(), but an edit of a file of the user's tree (`root`) that is not among `copied`, the files of a lab, is stale: it could not be
// planted.
std::vector<Finding> find_copied(const std::vector<Mutant>& mutants, const std::filesystem::path& root,
                                 const std::vector<std::string>& copied, const FindOptions& options);
Plan make_plan(const RunOptions& options, std::vector<Mutant> mutants, std::vector<Finding> findings, const std::string& tree_sha256);
// What finding alone decides: suppressed, stale, or broken. Nothing where the mutant has to be run.
std::optional<Record> record_without_run(const PlannedMutant& planned);

}  // namespace redproof::mutants
