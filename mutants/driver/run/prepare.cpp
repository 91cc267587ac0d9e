#include "mutants/driver/run/prepare.h"

#include <algorithm>
#include <set>

#include "gates/runner/refusal.h"
#include "mutants/driver/catalog/catalog.h"
#include "mutants/driver/plan/platform.h"
#include "mutants/driver/plant/sha256.h"
#include "mutants/driver/run/narrow.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> newest_database(const fs::path& build) {
  std::optional<fs::path> newest;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(build, failed)) {
    fs::path const file = entry.path() / "compile_commands.json";
    if (!fs::is_regular_file(file)) continue;
    if (!newest || fs::last_write_time(file) > fs::last_write_time(*newest)) newest = file;
  }
  return newest;
}

// The first file that no lab holds; `copied` is sorted. One that is not there at all is for find() to tell.
std::string file_left_out(const Mutant& mutant, const fs::path& root, const std::vector<std::string>& copied) {
  for (const Edit& edit : mutant.edits) {
    std::string const file = resolve(root, edit.file);
    if (fs::exists(root / file) && !std::binary_search(copied.begin(), copied.end(), file)) return file;
  }
  return {};
}

void load_lab_and_gates(const RunOptions& options, Inputs& inputs) {
  inputs.lab = load_lab_config(lab_config_file(options));
  inputs.gates = gates::load_gates(options.root / inputs.lab.gates);
}

std::map<std::string, std::string> hashes_of(const fs::path& lab_file, const std::vector<gates::Gate>& gates) {
  std::map<std::string, std::string> hashes{{lab_file.string(), sha256_of_file(lab_file)}};
  for (const gates::Gate& gate : gates) hashes[gate.file.string()] = sha256_of_file(gate.file);
  return hashes;
}

// An editor may save between reading and hashing: what is read between two equal hashes is what they are of.
void load_as_hashed(const RunOptions& options, Inputs& inputs) {
  load_lab_and_gates(options, inputs);
  for (int attempt = 0; attempt < 3; ++attempt) {
    inputs.sha256 = hashes_of(lab_config_file(options), inputs.gates);
    load_lab_and_gates(options, inputs);
    if (hashes_of(lab_config_file(options), inputs.gates) == inputs.sha256) return;
  }
  throw gates::Refusal(options.root.string() + ": its gates or lab.json change while they are read");
}

std::vector<std::string> all_targets(const LabConfig& lab, const std::vector<Mutant>& mutants) {
  std::set<std::string> targets(lab.targets.begin(), lab.targets.end());
  for (const Mutant& mutant : mutants) targets.insert(mutant.targets.begin(), mutant.targets.end());
  return {targets.begin(), targets.end()};
}

}  // namespace

bool lacks_a_file(const std::string& broken) {
  return broken.find(" file not found") != std::string::npos || broken.find("no compile command reaches") != std::string::npos;
}

std::vector<Finding> find_copied(const std::vector<Mutant>& mutants, const fs::path& root, const std::vector<std::string>& copied,
                                 const FindOptions& options) {
  std::vector<Finding> findings(mutants.size());
  std::vector<Mutant> sought;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    std::string const file = file_left_out(mutants[i], root, copied);
    if (!file.empty())
      findings[i].stale = file + ": is not copied to a lab: git ignores it, or it is git's own";
    else
      sought.push_back(mutants[i]);
  }
  auto found = find(sought, options);
  for (std::size_t i = 0, next = 0; i < mutants.size(); ++i)
    if (findings[i].stale.empty()) findings[i] = std::move(found[next++]);
  return findings;
}

fs::path lab_config_file(const RunOptions& options) {
  return options.lab_config.empty() ? options.catalog / "lab.json" : options.lab_config;
}

Inputs load_inputs(const RunOptions& options) {
  Inputs inputs;
  load_as_hashed(options, inputs);
  auto const all = load_catalog(options.catalog);
  check_gates_exist(all, inputs.gates);
  inputs.targets = all_targets(inputs.lab, all);
  for (const Mutant& mutant : all) inputs.catalog_sha256 += mutant.id + ' ' + mutant.file_sha256 + '\n';
  inputs.catalog_sha256 = sha256(inputs.catalog_sha256);
  if (!options.generate.empty()) return inputs;  // those are known once the tree is parsed
  narrow_by_name(options, all, inputs);
  for (const Mutant& mutant : inputs.mutants)
    for (const Edit& edit : mutant.edits) resolve(options.root, edit.file);
  return inputs;
}

std::optional<fs::path> compile_commands_of(const RunOptions& options, const LabConfig& lab) {
  if (options.compile_commands) return options.compile_commands;
  if (!lab.compile_commands.empty() && fs::exists(options.root / lab.compile_commands)) return options.root / lab.compile_commands;
  return newest_database(options.root / "build");
}

Plan make_plan(const RunOptions& options, std::vector<Mutant> mutants, std::vector<Finding> findings, const std::string& tree_sha256) {
  Plan plan;
  plan.root = options.root;
  plan.platform = platform();
  plan.tree_sha256 = tree_sha256;
  plan.seed = options.seed;
  plan.planting = options.planting;
  plan.timeout_factor = options.timeout_factor;
  plan.matrix = options.matrix;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    plan.mutants.push_back({std::move(mutants[i]), std::move(findings[i]), {}, options.matrix});
    plan.mutants.back().key = key_of(plan, plan.mutants.back());
  }
  return plan;
}

std::optional<Record> record_without_run(const PlannedMutant& planned) {
  Record record;
  record.id = planned.mutant.id;
  record.key = planned.key;
  if (!planned.finding.stale.empty()) {
    record.outcome = Outcome::stale;
    record.reason = planned.finding.stale;
  } else if (!planned.finding.broken.empty()) {
    record.outcome = Outcome::no_evidence;
    record.reason = "parse broken: " + planned.finding.broken;
  } else if (!planned.mutant.suppressed.empty()) {
    record.outcome = Outcome::suppressed;
    record.as_declared = true;
    record.reason = planned.mutant.suppressed;
  } else {
    return std::nullopt;
  }
  return record;
}

}  // namespace redproof::mutants
