// One private tree with its own build folder: what is built there, and the gates that run on it.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gates/runner/run.h"
#include "mutants/driver/interrupted.h"
#include "mutants/driver/lab/lab_config.h"
#include "mutants/driver/lab/machine.h"
#include "mutants/driver/plant/plant.h"

namespace redproof::mutants {

struct BuildRun {
  int exit_code = -1;
  bool timed_out = false;
  double seconds = 0;
  std::string log;
  double limit_seconds = 0;  // 0: none

  bool ok() const { return exit_code == 0; }
};

struct WorkerOptions {
  unsigned build_jobs = 1;
  unsigned gate_jobs = 1;
  std::uint64_t seed = 1;
  double timeout_factor = 1;
  std::uint64_t memory_limit_bytes = 0;
  std::shared_ptr<Machine> machine = std::make_shared<Machine>();  // shared by all workers of a run
};

// Times its limit that something is given. Above 1 it runs alone: no worker builds or runs anything beside it.
using Patience = double;

// Where one run of gates may write, and what its processes find in their environment.
struct GateSetting {
  std::filesystem::path writable;  // empty: the worker's own folder
  std::vector<std::pair<std::string, std::string>> set_env;
  Patience patience = 1;
  gates::Scratch* scratch = nullptr;  // kept from one gate to the next
};

using GateResults = std::map<std::string, gates::GateResult>;

class Worker {
 public:
  Worker(const LabConfig& config, std::filesystem::path home, WorkerOptions options);

  // Copies the tree and links what the configuration names. Both throw Interrupted and gates::Refusal.
  void copy(const std::filesystem::path& root, const std::vector<std::string>& files);
  BuildRun configure();
  bool was_configured() const { return configured_; }
  // Builds `targets` and whatever was built with another mutant since the tree was last built pristine. Throws Interrupted, or
  // gates::Refusal where nothing could be started.
  BuildRun build(const std::vector<std::string>& targets, Patience patience = 1);
  // The same, but a first error does not end it where the configuration says how (`keep_going`).
  BuildRun build_all(const std::vector<std::string>& targets);
  // The gates side by side, each at most its own timeout, or what its pristine seconds suggest. Throws Interrupted.
  GateResults run_gates(const std::vector<gates::Gate>& gates, const GateResults& pristine, const GateSetting& setting = {}) const;
  // A command in the tree, confined as gates are. Throws Interrupted.
  gates::ProcessResult run_command(const std::vector<std::string>& argv, Patience patience = 1);
  double command_limit_seconds() const { return 60 * options_.timeout_factor; }

  // Throws gates::Refusal where the disk is full: what could not be written, a gate may have taken for something else.
  void need_disk() const;
  std::map<std::string, std::string> program_hashes() const;  // "absent" where a program does not exist
  std::vector<std::string> missing_programs() const;
  const std::filesystem::path& tree() const { return tree_; }
  const std::filesystem::path& home() const { return home_; }
  PlantedTree& planted() { return planted_; }
  void limit_builds(double seconds) { build_limit_seconds_ = seconds; }
  void use_build_jobs(unsigned jobs) { options_.build_jobs = jobs; }

 private:
  BuildRun build(const std::vector<std::string>& targets, const std::vector<std::string>& more, Patience patience);
  BuildRun run_build_command(const std::vector<std::string>& command, Patience patience = 1);
  template <typename Run>
  auto on_machine(Patience patience, const Run& run) const;

  const LabConfig& config_;
  std::filesystem::path home_, tree_;
  WorkerOptions options_;
  PlantedTree planted_;
  std::set<std::string> unsettled_;  // targets that may hold a mutant
  double build_limit_seconds_ = 0;
  bool configured_ = false;
};

// The line of a build's log that says what went wrong.
std::string error_line(const std::string& log);
// The first error of a configure's log with the line that explains it.
std::string configure_error(const std::string& log);

}  // namespace redproof::mutants
