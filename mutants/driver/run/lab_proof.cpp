// The part of a run in a lab that shows the pristine tree: it builds all programs, and the gates are green.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "gates/runner/exit_code.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/run/lab_run.h"

namespace redproof::mutants {

// What reaches a program that is not there would look like no change at all. One that this run's mutants do not need is made by the others'
// targets.
void LabRun::need_all_programs(Worker& worker, OutputFolder& out) {
  auto missing = worker.missing_programs();
  std::string why;
  if (!missing.empty() && targets_ != inputs_.targets) {
    BuildRun const build = worker.build(inputs_.targets);
    out.write_log("pristine/tree", "build_all", build.log);
    if (build.ok()) targets_ = inputs_.targets;
    if (!build.ok()) why = ": " + error_line(build.log);
    missing = worker.missing_programs();
  }
  if (missing.empty()) return;
  throw gates::Refusal(fmt::format("{}: programs: the build of the pristine tree does not make {}{}", lab_config_file(options_).string(),
                                   fmt::join(missing, ", "), why));
}

bool LabRun::build_before_parsing(RunReport& report) {
  options_.on_note("building the pristine tree: what is to be parsed needs what the build makes");
  Worker& worker = *workers_.front();
  worker.use_build_jobs(std::max(1u, std::thread::hardware_concurrency()));
  BuildRun const build = worker.build(inputs_.targets);
  build_seconds_ = build.seconds;
  if (build.ok()) return true;
  std::string const why = "the pristine tree does not build: " + error_line(build.log);
  options_.on_note(why);
  report.notes.push_back("unproved: " + why);
  report.exit_codes.push_back(gates::exit_unproved);
  return false;
}

bool LabRun::prove_pristine(const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report) {
  Worker& worker = *workers_.front();
  options_.on_note("building the pristine tree");
  BuildRun const build = worker.build(targets_);
  out.write_log("pristine/tree", "build", build.log);
  if (!build.ok()) {
    unproved(todo, "the pristine tree does not build: " + error_line(build.log), out, report);
    return false;
  }
  need_all_programs(worker, out);
  build_seconds_ += build.seconds;
  for (auto& other : workers_) other->limit_builds(std::max(600.0, 20 * build_seconds_));
  options_.on_note(fmt::format("built in {:.1f} s; running the gates it has to be green in", build_seconds_));
  GateResults const results = worker.run_gates(gates_named(inputs_.gates, gates_needed(todo, inputs_.gates)), {});
  std::string not_green;
  for (const auto& [id, result] : results) {
    out.write_log("pristine/tree", id, result.process.output);
    if (gates::is_green(result.verdict)) continue;
    if (options_.prepare && result.verdict == gates::Verdict::skipped) {
      report.notes.push_back(fmt::format("gate {} is skipped here ({}): it is proved where the mutants run", id, result.reason));
      continue;
    }
    not_green += fmt::format("{}gate {} is {} on the pristine tree: {}", not_green.empty() ? "" : "; ", id, gates::word(result.verdict),
                             result.reason);
  }
  bool const shut = std::all_of(inputs_.gates.begin(), inputs_.gates.end(), [&](const gates::Gate& gate) {
    auto const result = results.find(gate.id);
    return gate.network || result == results.end() || result->second.verdict == gates::Verdict::skipped ||
           result->second.process.network_shut;
  });
  if (!shut) report.notes.emplace_back(network_not_shut);
  bool const confined =
      std::all_of(results.begin(), results.end(), [](const auto& entry) { return entry.second.process.landlock_applied; });
  if (!confined) report.notes.push_back("this kernel has no Landlock: mutated programs could write outside the lab");
  pristine_.add(results);
  if (!not_green.empty()) unproved(todo, not_green, out, report);
  return not_green.empty();
}

std::vector<const PlannedMutant*> LabRun::take_known(const std::vector<const PlannedMutant*>& all, SharedVerdicts& shared,
                                                     OutputFolder& out, RunReport& report) {
  auto const add = [&](Record record, const PlannedMutant& planned) { add_record(std::move(record), planned, out, report); };
  return shared.take(all, report.plan, *workers_.front(), pristine_.all(), add);
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

}  // namespace redproof::mutants
