#include "mutants/driver/run/lab_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "gates/runner/exit_code.h"
#include "gates/runner/interrupt.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/lab/disk_error.h"
#include "mutants/driver/lab/memory.h"
#include "mutants/driver/lab/tree.h"
#include "mutants/driver/plant/sha256.h"
#include "mutants/driver/run/health.h"
#include "mutants/driver/run/schemata_run.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

// Out of the time in which mutants may be started.
bool is_late(const RunOptions& options) {
  return options.start_none_after && std::chrono::steady_clock::now() >= *options.start_none_after;
}

unsigned cores() { return std::max(1u, std::thread::hardware_concurrency()); }

WorkerOptions worker_options(const RunOptions& options, std::shared_ptr<Machine> machine) {
  unsigned const share = std::max(1u, cores() / options.jobs);
  return {share, share, options.seed, options.timeout_factor, memory_share_bytes(options.jobs), std::move(machine)};
}

std::vector<std::string> targets_of(const std::vector<const PlannedMutant*>& todo) {
  std::set<std::string> targets;
  for (const PlannedMutant* planned : todo) targets.insert(planned->mutant.targets.begin(), planned->mutant.targets.end());
  return {targets.begin(), targets.end()};
}

// Of a mutant that was planted in both ways.
void note_comparison(const Comparison& comparison, const std::string& reason, RunReport& report) {
  report.compared.push_back(comparison);
  if (comparison.agree()) return;
  report.notes.push_back(fmt::format("{}: {} where all mutants are in one build, {} in a build of its own ({})", comparison.id,
                                     word(comparison.together), word(comparison.alone), reason));
}

}  // namespace

LabRun::LabRun(const RunOptions& options, const Inputs& inputs, std::vector<std::string> files)
    : options_(options), inputs_(inputs), files_(std::move(files)), folder_(options.root) {
  if (options.keep_lab) folder_.keep();
}

Worker& LabRun::add_worker() {
  auto worker =
      std::make_unique<Worker>(inputs_.lab, folder_.path() / fmt::format("worker-{}", workers_.size()), worker_options(options_, machine_));
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

void LabRun::run(const std::vector<const PlannedMutant*>& all, SharedVerdicts& shared, OutputFolder& out, RunReport& report) {
  targets_ = targets_of(all);
  std::size_t const count = std::min<std::size_t>(std::max(1u, options_.jobs), all.size());
  std::vector<const PlannedMutant*> todo;
  guarded(report, [&] {
    // Copied while the first tree is still pristine: the user may go on editing.
    while (workers_.size() < count) add_worker();
    // Until the workers build side by side, this one has the machine to itself.
    workers_.front()->use_build_jobs(cores());
    if (prove_pristine(all, out, report)) todo = take_known(all, shared, out, report);
  });
  if (todo.empty()) return;
  auto const alone = plants_together(todo.size()) ? run_together(todo, out, report) : todo;
  if (!alone.empty() && !stop_) run_one_a_build(alone, out, report);
  if (options_.planting == both && !stop_) compare(todo, out, report);
  guarded(report, [&] { settle_doubts(out, report); });
}

// For very few the second build, and the proof of it, would cost more than it saves.
bool LabRun::plants_together(std::size_t mutants) const {
  if (options_.prepare) return true;
  if (options_.planting == automatic) return mutants >= 4;
  return options_.planting != one_a_build;
}

// What did not become as declared is said only after a build of its own: there the programs' hashes tell what is equivalent.
void LabRun::run_lane(SchemataRun& all, unsigned lane, const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report,
                      std::vector<const PlannedMutant*>& alone) {
  std::set<std::string> seen;
  auto const run_pristine = [&](const auto& gates, Patience patience) { return all.run_unmutated(gates, lane, patience); };
  work(*workers_.front(), lane, todo, report, [&](const PlannedMutant& planned) {
    Record record = all.run(planned, lane);
    doubts_.note(record, seen);
    bool const is_well = is_well_after(record, lane, run_pristine, out, report);
    if (!is_well || !builds_ || all.holds(planned, record)) {
      if (!survivors_.hold_back(planned, record)) add_record(std::move(record), planned, out, report);
      return is_well;
    }
    std::lock_guard const guard(mutex_);
    if (all.compares(planned)) beside_all_[planned.mutant.id] = record.outcome;
    built_alone_[planned.mutant.id] = record.as_declared ? "each of its edits has to change a program"
                                                         : fmt::format("{} beside all others: {}", word(record.outcome), record.reason);
    alone.push_back(&planned);
    return true;
  });
  if (!stop_) close_with(seen, run_pristine, out);
}

// Answers those that have to be built by themselves.
std::vector<const PlannedMutant*> LabRun::run_together(const std::vector<const PlannedMutant*>& todo, OutputFolder& out,
                                                       RunReport& report) {
  std::vector<const PlannedMutant*> alone, together;
  auto const lanes = static_cast<unsigned>(workers_.size());
  guarded(report, [&] {
    Worker& worker = *workers_.front();
    std::optional<fs::path> database;
    if (!inputs_.lab.compile_commands.empty()) database = worker.tree() / inputs_.lab.compile_commands;
    TreeState state(worker.tree(), files_);
    if (database) survivors_.compare_by(*database, worker);
    SchemataRun all(worker, inputs_.gates, pristine_, out, {database, lanes, options_.on_note, [this] { return is_late(options_); }});
    bool const prepared = all.prepare(todo, targets_);
    if (!prepared) options_.on_note("one mutant a build, since " + all.why_not());
    for (const PlannedMutant* planned : todo) {
      std::string const why = prepared ? all.left_out(*planned) : all.why_not();
      if (!why.empty()) built_alone_[planned->mutant.id] = why;
      (why.empty() ? together : alone).push_back(planned);
    }
    if (!prepared && options_.prepare) throw gates::Refusal("--prepare: no mutant can be run elsewhere, since " + all.why_not());
    if (!prepared) return;
    options_.prepare ? leave_prepared(worker, all, out) : run_lanes(all, together, out, report, alone);
    report.prepared = options_.prepare ? together.size() : 0;
    all.restore();
    check_unchanged(state, worker);
  });
  return alone;
}

void LabRun::run_lanes(SchemataRun& all, const std::vector<const PlannedMutant*>& together, OutputFolder& out, RunReport& report,
                       std::vector<const PlannedMutant*>& alone) {
  next_ = 0;
  unsigned const lanes = all.lanes();
  side_by_side(lanes, report, [&](std::size_t lane) { run_lane(all, static_cast<unsigned>(lane), together, out, report, alone); });
  auto const again = doubts_.to_confirm(together, report.records, judged_by_, lanes);
  side_by_side(stop_ ? 0 : lanes, report, [&](std::size_t lane) {
    if (is_bad(lane)) return;
    for (const PlannedMutant* planned : again[lane]) doubts_.confirm(all.run(*planned, static_cast<unsigned>(lane)), lanes > 1);
  });
  if (survivors_.count() == 0 || stop_) return;
  options_.on_note(fmt::format("{} survived; comparing what the compiler makes of them", survivors_.count()));
  side_by_side(lanes, report, [&](std::size_t lane) {
    survivors_.compare(all.lane_folder(static_cast<unsigned>(lane)) / "code", stop_,
                       [&](Record record, const PlannedMutant& planned) { add_record(std::move(record), planned, out, report); });
  });
}

std::string LabRun::left_changed(TreeState& state, Worker& worker) const {
  auto const suspects = state.changed();
  if (suspects.empty()) return {};
  if (!builds_) return suspects.front();
  build_pristine(worker);
  auto const left = state.changed();
  if (!left.empty()) return left.front();
  state.forget(suspects);
  return {};
}

void LabRun::check_unchanged(TreeState& state, Worker& worker) {
  std::string const changed = left_changed(state, worker);
  if (changed.empty()) return;
  doubts_.add(Outcome::no_evidence, changed + " was changed by what was run");
  throw NotRestored(fmt::format("{}: was changed while the mutants ran: what one of them leaves, the next one reads", changed));
}

void LabRun::leave_prepared(const Worker& worker, const SchemataRun& all, OutputFolder& out) {
  fs::path const tree = out.path() / prepared_tree;
  copy_prepared_tree(worker.tree(), inputs_.lab, files_, tree);
  out.write_document("prepared.json",
                     to_json(Prepared{inputs_.lab, pristine_.all(), all.numbering(), tree_sha256(tree, all_files(tree), {})}));
}

void LabRun::run_prepared(const Prepared& prepared, const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report) {
  builds_ = false;
  guarded(report, [&] {
    Worker& worker = add_faithful_copy();
    TreeState state(worker.tree(), files_);
    SchemataRun all(worker, inputs_.gates, pristine_, out, {std::nullopt, std::max(1u, options_.jobs), options_.on_note});
    if (!all.adopt(prepared.numbering, prepared.pristine, todo)) return unproved(todo, all.why_not(), out, report);
    std::vector<const PlannedMutant*> none;
    run_lanes(all, todo, out, report, none);
    check_unchanged(state, worker);
  });
  guarded(report, [&] { settle_doubts(out, report); });
}

void LabRun::run_one_a_build(const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report) {
  next_ = 0;
  workers_.front()->use_build_jobs(worker_options(options_, machine_).build_jobs);
  std::size_t const count = std::min(workers_.size(), todo.size());
  side_by_side(count, report, [&](std::size_t i) {
    if (!is_bad(i)) build_and_work(*workers_[i], i, todo, out, report);
  });
  if (!comparing_ && !stop_) confirm_one_a_build(todo, count, out, report);
}

void LabRun::side_by_side(std::size_t count, RunReport& report, const std::function<void(std::size_t)>& part) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&, i] { guarded(report, [&] { part(i); }); });
}

void LabRun::confirm_one_a_build(const std::vector<const PlannedMutant*>& todo, std::size_t count, OutputFolder& out, RunReport& report) {
  auto const again = doubts_.to_confirm(todo, report.records, judged_by_, count);
  side_by_side(count, report, [&](std::size_t i) {
    if (again[i].empty() || is_bad(i)) return;
    Worker& worker = *workers_[i];
    build_pristine(worker);
    Experiment experiment(worker, inputs_.gates, pristine_, out, worker.program_hashes());
    for (const PlannedMutant* planned : again[i]) doubts_.confirm(experiment.run(*planned), count > 1);
  });
}

// Once more, each in a build of its own: those that were planted together.
void LabRun::compare(const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report) {
  std::vector<PlannedMutant> again;
  Plan plan = report.plan;
  plan.planting = one_a_build;
  for (const PlannedMutant* planned : todo)
    if (!built_alone_.contains(planned->mutant.id)) {
      again.push_back(*planned);
      again.back().key = key_of(plan, again.back());
    }
  std::vector<const PlannedMutant*> pointers;
  for (const PlannedMutant& planned : again) pointers.push_back(&planned);
  comparing_ = true;
  if (!pointers.empty()) run_one_a_build(pointers, out, report);
  auto const differ = std::count_if(report.compared.begin(), report.compared.end(), [](const Comparison& one) { return !one.agree(); });
  report.notes.push_back(fmt::format("both plantings agree on {} mutants and differ on {}; {} can only be built by themselves",
                                     static_cast<long>(report.compared.size()) - differ, differ, built_alone_.size() - beside_all_.size()));
  if (differ > 0) report.exit_codes.push_back(gates::exit_no_evidence);
}

void LabRun::work(Worker& worker, std::size_t index, const std::vector<const PlannedMutant*>& todo, RunReport& report,
                  const std::function<bool(const PlannedMutant&)>& run) {
  while (!stop_ && !gates::interrupted() && !is_late(options_)) {
    worker.need_disk();
    if (std::string const lack = lack_of_memory(pristine_.all(), available_memory_bytes()); !lack.empty())
      return went_bad(index, lack, report);
    std::size_t const i = next_++;
    if (i >= todo.size() || !run(*todo[i])) break;
  }
  if (gates::interrupted()) throw Interrupted{};
}

bool LabRun::is_well_after(const Record& record, std::size_t index, const RunPristine& run, OutputFolder& out, RunReport& report) {
  {
    std::lock_guard const guard(mutex_);
    judged_by_[record.id] = index;
  }
  GateResults const again = run_those_green_before(broken_gates(record), run);
  std::string const why = doubts_.compare(again, pristine_, "after " + record.id);
  if (why.empty()) return true;
  for (const auto& [id, result] : again) out.write_log("pristine/probe", id, result.process.output);
  went_bad(index, why, report);
  return false;
}

bool LabRun::is_bad(std::size_t index) const {
  std::lock_guard const guard(mutex_);
  return bad_.contains(index);
}

void LabRun::went_bad(std::size_t index, const std::string& why, RunReport& report) {
  std::string const note = fmt::format("worker {}: {}: it starts no more mutants", index, why);
  std::lock_guard const guard(mutex_);
  bad_.insert(index);
  report.exit_codes.push_back(gates::exit_device);
  report.notes.push_back(note);
  options_.on_note(note);
}

void LabRun::build_pristine(Worker& worker) const {
  if (!worker.build(targets_).ok()) throw gates::Refusal("lab: a private tree does not build");
}

void LabRun::build_and_work(Worker& worker, std::size_t index, const std::vector<const PlannedMutant*>& todo, OutputFolder& out,
                            RunReport& report) {
  if (!worker.was_configured() && !worker.configure().ok()) throw gates::Refusal("lab: a second tree cannot be configured");
  build_pristine(worker);
  auto const programs = worker.program_hashes();
  TreeState state(worker.tree(), files_);
  Experiment experiment(worker, inputs_.gates, pristine_, out, programs);
  std::set<std::string> seen;
  auto const run_pristine = [&](const auto& gates, Patience patience) {
    build_pristine(worker);
    return worker.run_gates(gates, pristine_.all(), {{}, {}, patience});
  };
  work(worker, index, todo, report, [&](const PlannedMutant& planned) {
    Record record = experiment.run(planned);
    std::string const changed = left_changed(state, worker);
    if (!changed.empty())
      throw NotRestored(fmt::format("{}: was changed while {} was built and run: what one mutant leaves, the next one reads", changed,
                                    planned.mutant.id));
    doubts_.note(record, seen);
    bool const is_well = is_well_after(record, index, run_pristine, out, report);
    add_record(std::move(record), planned, out, report);
    return is_well;
  });
  if (worker.build(targets_).ok() && worker.program_hashes() == programs) return close_with(seen, run_pristine, out);
  doubts_.add(Outcome::no_evidence, "after the run the pristine tree builds to other programs");
  fail(gates::exit_no_evidence, "after the run the pristine tree builds to other programs: no outcome of this run holds", report);
}

GateResults LabRun::run_those_green_before(const std::set<std::string>& gates, const RunPristine& run) const {
  std::vector<std::string> names;
  for (const std::string& gate : gates)
    if (const gates::GateResult* const before = pristine_.find(gate); before != nullptr && gates::is_green(before->verdict))
      names.push_back(gate);
  return run_in_time(gates_named(inputs_.gates, names), run);
}

void LabRun::close_with(const std::set<std::string>& gates, const RunPristine& run, OutputFolder& out) {
  GateResults const closing = run_those_green_before(gates, run);
  for (const auto& [id, result] : closing) out.write_log("pristine/closing", id, result.process.output);
  doubts_.compare(closing, pristine_);
}

void LabRun::settle_doubts(OutputFolder& out, RunReport& report) {
  if (!doubts_.apply(report.records)) return;
  out.withdraw();
  for (const Record& record : report.records) out.append(record);
}

void LabRun::guarded(RunReport& report, const std::function<void()>& part) {
  try {
    part();
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
  {
    std::lock_guard const guard(mutex_);
    if (auto const why = built_alone_.find(record.id); why != built_alone_.end()) record.planting_reason = why->second;
  }
  out.append(record);
  std::lock_guard const guard(mutex_);
  if (comparing_) {
    auto const before = std::find_if(report.records.begin(), report.records.end(), [&](const Record& one) { return one.id == record.id; });
    return note_comparison({record.id, before->outcome, record.outcome}, record.reason, report);
  }
  auto const first = beside_all_.find(record.id);
  if (options_.planting == both && first != beside_all_.end())
    note_comparison({record.id, first->second, record.outcome}, record.reason, report);
  options_.on_record(record, planned);
  report.records.push_back(std::move(record));
}

void LabRun::fail(int exit_code, const std::string& note, RunReport& report) {
  std::lock_guard const guard(mutex_);
  stop_ = true;
  report.exit_codes.push_back(exit_code);
  // What ends one worker ends the next as well.
  if (note.empty() || std::find(report.notes.begin(), report.notes.end(), note) != report.notes.end()) return;
  report.notes.push_back(note);
  options_.on_note(note);
}

}  // namespace redproof::mutants
