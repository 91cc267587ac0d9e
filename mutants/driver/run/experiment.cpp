#include "mutants/driver/run/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "mutants/driver/judge/judge.h"
#include "mutants/driver/run/probe.h"

namespace redproof::mutants {
namespace {

void set(Record& record, const Judged& judged) {
  record.outcome = judged.outcome;
  record.as_declared = judged.as_declared;
  record.reason = judged.reason;
}

std::vector<std::string> red_gates(const Mutant& mutant) {
  std::vector<std::string> names;
  for (const Red& red : mutant.reds)
    if (std::find(names.begin(), names.end(), red.gate) == names.end()) names.push_back(red.gate);
  return names;
}

std::string law_of(const Mutant& mutant, const std::string& gate) {
  auto const found = std::find_if(mutant.reds.begin(), mutant.reds.end(), [&](const Red& red) { return red.gate == gate; });
  return found == mutant.reds.end() ? std::string() : found->law;
}

bool differs(const std::vector<ProgramRecord>& programs) {
  return std::any_of(programs.begin(), programs.end(), [](const ProgramRecord& program) { return program.before != program.mutated; });
}

}  // namespace

GateResults Pristine::all() const {
  std::lock_guard const guard(mutex_);
  return results_;
}

void Pristine::add(const GateResults& results) {
  std::lock_guard const guard(mutex_);
  results_.insert(results.begin(), results.end());
}

Experiment::Experiment(Worker& worker, const std::vector<gates::Gate>& gates, Pristine& pristine, OutputFolder& out,
                       std::map<std::string, std::string> pristine_programs)
    : worker_(worker), gates_(gates), pristine_(pristine), out_(out), pristine_programs_(std::move(pristine_programs)) {}

Record Experiment::run(const PlannedMutant& planned) {
  auto const start = std::chrono::steady_clock::now();
  Record record;
  record.id = planned.mutant.id;
  record.key = planned.key;
  worker_.planted().plant(planned.finding.files);
  for (const auto& [path, hash] : worker_.planted().hashes()) record.files.push_back({path, {}, hash, {}});
  build_and_judge(planned, record);
  worker_.planted().restore();
  for (FileRecord& file : record.files) {
    auto const& files = planned.finding.files;
    auto const found = std::find_if(files.begin(), files.end(), [&](const MutatedFile& other) { return other.path == file.path; });
    file.before = file.restored = found->before_sha256;
  }
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

void Experiment::build_and_judge(const PlannedMutant& planned, Record& record) {
  const Mutant& mutant = planned.mutant;
  BuildRun const build = worker_.build(mutant.targets);
  record.build = {true, build.exit_code, build.seconds, build.ok() ? std::string() : error_line(build.log)};
  out_.write_log(mutant.id, "build", build.log);
  if (build.timed_out) return set(record, {Outcome::unviable, false, "the build ran out of its time"});
  if (!build.ok() || !mutant.build_message.empty()) return set(record, judge_build(mutant, build.ok(), build.log));
  for (const auto& [path, hash] : worker_.program_hashes()) record.programs.push_back({path, pristine_programs_[path], hash});
  if (!differs(record.programs)) return judge_unchanged(planned, record);
  if (mutant.equivalent) return judge_equivalence(planned, record);
  judge_by_gates(planned, record);
}

GateResults Experiment::run_gates(const std::vector<std::string>& names, const PlannedMutant& planned, std::string_view role,
                                  Record& record) {
  GateResults const pristine = pristine_.all();
  GateResults const results = worker_.run_gates(gates_named(gates_, names), pristine);
  for (const auto& [id, result] : results) {
    auto const before = pristine.find(id);
    record.gates.push_back(record_of(result, before == pristine.end() ? nullptr : &before->second, role, law_of(planned.mutant, id)));
    out_.write_log(planned.mutant.id, id, result.process.output);
  }
  return results;
}

void Experiment::judge_by_gates(const PlannedMutant& planned, Record& record) {
  const Mutant& mutant = planned.mutant;
  auto const reds = red_gates(mutant);
  GateResults const results = run_gates(reds, planned, "red", record);
  set(record, judge_reds(mutant, results, pristine_.all()));
  bool const every_red_green =
      std::all_of(results.begin(), results.end(), [](const auto& entry) { return gates::is_green(entry.second.verdict); });
  if (record.outcome == Outcome::survived && every_red_green) return judge_survivor(planned, record);
  if (!record.as_declared || mutant.keeps_green.empty()) return;
  Judged const greens = judge_greens(mutant, run_gates(mutant.keeps_green, planned, "green", record), pristine_.all());
  if (greens.outcome == Outcome::collateral) set(record, greens);
}

// Does any other gate see it? Only one that is green on the pristine tree can say so.
void Experiment::judge_survivor(const PlannedMutant& planned, Record& record) {
  auto const reds = red_gates(planned.mutant);
  std::vector<std::string> others;
  for (const gates::Gate& gate : gates_)
    if (std::find(reds.begin(), reds.end(), gate.id) == reds.end()) others.push_back(gate.id);
  GateResults const results = run_gates(others, planned, "other", record);
  std::vector<std::string> suspects;
  for (const auto& [id, result] : results)
    if (!gates::is_green(result.verdict) && result.verdict != gates::Verdict::skipped) suspects.push_back(id);
  if (suspects.empty()) return;
  worker_.planted().restore();
  if (!worker_.build(planned.mutant.targets).ok()) return;
  pristine_.add(worker_.run_gates(gates_named(gates_, suspects), {}));
  GateResults const pristine = pristine_.all();
  std::string seen;
  for (const std::string& id : suspects)
    if (gates::is_green(pristine.at(id).verdict)) seen += (seen.empty() ? "" : ", ") + id;
  if (!seen.empty()) set(record, {Outcome::wrong_gate, false, record.reason + "; seen only by " + seen});
}

void Experiment::judge_equivalence(const PlannedMutant& planned, Record& record) {
  const Witness& witness = planned.mutant.witness;
  std::string why_not;
  if (witness.gate.empty()) {
    auto const process = worker_.run_command(witness.argv);
    out_.write_log(planned.mutant.id, "witness", process.output);
    bool const holds = process.ended_by_itself() && process.exit_code == 0;
    if (!holds) why_not = fmt::format("{} ended with {}", witness.argv.front(), process.signal != 0 ? -process.signal : process.exit_code);
    return set(record, judge_witness(holds, why_not));
  }
  GateResults const results = run_gates({witness.gate}, planned, "witness", record);
  bool const holds = is_green_as_before(results.at(witness.gate), pristine_.all().at(witness.gate), why_not);
  set(record, judge_witness(holds, why_not));
}

// The programs are the same bytes: either the compiler made the same code of it, or the line is in none of them.
void Experiment::judge_unchanged(const PlannedMutant& planned, Record& record) {
  if (planned.mutant.equivalent) return set(record, {Outcome::equivalent, true, "same object code"});
  if (is_compiled(planned)) return set(record, {Outcome::equivalent, false, "not declared: the compiler makes the same programs of it"});
  set(record, {Outcome::not_reached, false, "no program changed, and the changed line is compiled into none of the targets"});
}

bool Experiment::is_compiled(const PlannedMutant& planned) {
  worker_.planted().restore();
  auto const probes = probe_files(planned.finding.files);
  if (probes.empty()) return false;
  worker_.planted().plant(probes);
  BuildRun const build = worker_.build(planned.mutant.targets);
  worker_.planted().restore();
  return !build.ok() && build.log.find(probe_message) != std::string::npos;
}

}  // namespace redproof::mutants
