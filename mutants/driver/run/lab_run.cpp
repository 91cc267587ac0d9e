#include "mutants/driver/run/lab_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <thread>

#include "gates/runner/exit_code.h"
#include "gates/runner/interrupt.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/lab/disk_error.h"
#include "mutants/driver/lab/tree.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

// Most of the machine's memory, shared out: a mutant that eats memory must not take the machine down.
std::uint64_t memory_share(unsigned workers) {
  auto const pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  auto const page_bytes = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_PAGESIZE)));
  return pages * page_bytes / 4 * 3 / workers;
}

unsigned cores() { return std::max(1u, std::thread::hardware_concurrency()); }

WorkerOptions worker_options(const RunOptions& options) {
  unsigned const share = std::max(1u, cores() / options.jobs);
  return {share, share, options.seed, options.timeout_factor, memory_share(options.jobs)};
}

std::vector<std::string> gates_of(const std::vector<const PlannedMutant*>& todo) {
  std::set<std::string> names;
  for (const PlannedMutant* planned : todo)
    for (const std::string& gate : planned->mutant.gates()) names.insert(gate);
  return {names.begin(), names.end()};
}

std::vector<std::string> targets_of(const std::vector<const PlannedMutant*>& todo) {
  std::set<std::string> targets;
  for (const PlannedMutant* planned : todo) targets.insert(planned->mutant.targets.begin(), planned->mutant.targets.end());
  return {targets.begin(), targets.end()};
}

}  // namespace

LabRun::LabRun(const RunOptions& options, const Inputs& inputs, std::vector<std::string> files)
    : options_(options), inputs_(inputs), files_(std::move(files)), folder_(options.root) {
  if (options.keep_lab) folder_.keep();
}

Worker& LabRun::add_worker() {
  auto worker = std::make_unique<Worker>(inputs_.lab, folder_.path() / fmt::format("worker-{}", workers_.size()), worker_options(options_));
  worker->copy(workers_.empty() ? options_.root : workers_.front()->tree(), files_);
  workers_.push_back(std::move(worker));
  return *workers_.back();
}

// What is judged is this copy, so it has to be what the user sees. An editor may save while it is made: then it is made again.
Worker& LabRun::add_faithful_copy() {
  for (int attempt = 0; attempt < 3; ++attempt) {
    Worker& worker = add_worker();
    if (tree_sha256(worker.tree(), files_, {}) == tree_sha256(options_.root, files_, {})) return worker;
    fs::remove_all(worker.tree().parent_path());
    workers_.pop_back();
  }
  throw gates::Refusal(options_.root.string() + ": changes while it is copied");
}

fs::path LabRun::open_first() {
  Worker& worker = add_faithful_copy();
  BuildRun const configured = worker.configure();
  if (!configured.ok()) throw gates::Refusal("lab: configure failed: " + configure_error(configured.log));
  return worker.tree();
}

void LabRun::run(const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report) {
  targets_ = targets_of(todo);
  std::size_t const count = std::min<std::size_t>(std::max(1u, options_.jobs), todo.size());
  try {
    // Copied while the first tree is still pristine: the user may go on editing.
    while (workers_.size() < count) add_worker();
    if (!prove_pristine(todo, out, report)) return;
  } catch (const Interrupted&) {
    return fail(gates::exit_interrupted, {}, report);
  }
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&, i] { work(*workers_[i], i, todo, out, report); });
}

bool LabRun::prove_pristine(const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report) {
  Worker& worker = *workers_.front();
  options_.on_note("building the pristine tree");
  // Nothing else runs meanwhile.
  worker.use_build_jobs(cores());
  BuildRun const build = worker.build(targets_);
  worker.use_build_jobs(worker_options(options_).build_jobs);
  out.write_log("pristine/tree", "build", build.log);
  if (!build.ok()) {
    unproved(todo, "the pristine tree does not build: " + error_line(build.log), out, report);
    return false;
  }
  for (auto& other : workers_) other->limit_builds(std::max(600.0, 20 * build.seconds));
  options_.on_note(fmt::format("built in {:.1f} s; running the gates it has to be green in", build.seconds));
  GateResults const results = worker.run_gates(gates_named(inputs_.gates, gates_of(todo)), {});
  std::string not_green;
  for (const auto& [id, result] : results) {
    out.write_log("pristine/tree", id, result.process.output);
    if (gates::is_green(result.verdict)) continue;
    not_green += fmt::format("{}gate {} is {} on the pristine tree: {}", not_green.empty() ? "" : "; ", id, gates::word(result.verdict),
                             result.reason);
  }
  bool const confined =
      std::all_of(results.begin(), results.end(), [](const auto& entry) { return entry.second.process.landlock_applied; });
  if (!confined) report.notes.push_back("this kernel has no Landlock: mutated programs could write outside the lab");
  pristine_.add(results);
  if (!not_green.empty()) unproved(todo, not_green, out, report);
  return not_green.empty();
}

void LabRun::unproved(const std::vector<const PlannedMutant*>& todo, const std::string& why, OutputFolder& out, RunReport& report) {
  report.notes.push_back("unproved: " + why);
  report.exit_codes.push_back(gates::exit_unproved);
  for (const PlannedMutant* planned : todo) {
    Record record;
    record.id = planned->mutant.id;
    record.key = planned->key;
    record.reason = why;
    add_record(std::move(record), *planned, out, report);
  }
}

void LabRun::work(Worker& worker, std::size_t index, const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report) {
  try {
    if (index > 0 && (!worker.configure().ok() || !worker.build(targets_).ok())) throw gates::Refusal("lab: a second tree does not build");
    auto const programs = worker.program_hashes();
    Experiment experiment(worker, inputs_.gates, pristine_, out, programs);
    for (;;) {
      const PlannedMutant* planned = nullptr;
      {
        std::lock_guard const guard(mutex_);
        if (stop_ || gates::interrupted() || next_ >= todo.size()) break;
        planned = todo[next_++];
      }
      add_record(experiment.run(*planned), *planned, out, report);
    }
    if (gates::interrupted()) return fail(gates::exit_interrupted, {}, report);
    if (!worker.build(targets_).ok() || worker.program_hashes() != programs)
      fail(gates::exit_no_evidence, "after the run the pristine tree builds to other programs: no outcome of this run holds", report);
  } catch (const Interrupted&) {
    fail(gates::exit_interrupted, {}, report);
  } catch (const NotRestored& error) {
    fail(gates::exit_not_restored, error.what(), report);
  } catch (const gates::Refusal& error) {
    fail(gates::exit_refused, error.what(), report);
  } catch (const fs::filesystem_error& error) {
    fail(gates::exit_refused, told(error), report);
  } catch (const std::exception& error) {
    fail(gates::exit_internal, error.what(), report);
  }
}

void LabRun::add_record(Record record, const PlannedMutant& planned, OutputFolder& out, RunReport& report) {
  out.append(record);
  std::lock_guard const guard(mutex_);
  options_.on_record(record, planned);
  report.records.push_back(std::move(record));
}

void LabRun::fail(int exit_code, const std::string& note, RunReport& report) {
  std::lock_guard const guard(mutex_);
  stop_ = true;
  report.exit_codes.push_back(exit_code);
  if (!note.empty()) report.notes.push_back(note);
}

}  // namespace redproof::mutants
