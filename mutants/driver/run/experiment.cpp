#include "mutants/driver/run/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gates/runner/signal_words.h"
#include "mutants/driver/judge/judge.h"
#include "mutants/driver/run/attempts.h"
#include "mutants/driver/run/probe.h"

namespace redproof::mutants {
namespace {

bool differs(const std::vector<ProgramRecord>& programs) {
  return std::any_of(programs.begin(), programs.end(), [](const ProgramRecord& program) { return program.before != program.mutated; });
}

std::string words_of(const gates::ProcessResult& process) {
  if (process.timed_out) return "timed out";
  if (process.signal != 0) return "killed by " + gates::signal_words(process.signal);
  return process.start_error.empty() ? fmt::format("exit code {}", process.exit_code) : process.start_error;
}

}  // namespace

Experiment::Experiment(Worker& worker, const std::vector<gates::Gate>& gates, Pristine& pristine, OutputFolder& out,
                       std::map<std::string, std::string> pristine_programs)
    : worker_(worker), gates_(gates), pristine_(pristine), out_(out), pristine_programs_(std::move(pristine_programs)) {}

Record Experiment::run(const PlannedMutant& planned) {
  auto const start = std::chrono::steady_clock::now();
  Record record;
  record.id = planned.mutant.id;
  record.key = planned.key;
  record.planting = one_a_build;
  worker_.planted().plant(planned.finding.files);
  for (const auto& [path, hash] : worker_.planted().hashes()) record.files.push_back({path, {}, hash, {}});
  build_and_judge(planned, record);
  if (record.as_declared && !planned.mutant.reds.empty()) prove_edits(planned, record);
  if (planned.mutant.generated) record.as_declared = record.outcome != Outcome::no_evidence;
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
  BuildRun const build = build_in_time(mutant.targets, record);
  record.build = {true, build.exit_code, build.seconds, build.ok() ? std::string() : error_line(build.log)};
  out_.write_log(mutant.id, "build", build.log);
  if (build.timed_out) return set_outcome(record, {Outcome::unviable, false, "the build " + told(record.attempts)});
  if (!build.ok() || !mutant.build_message.empty()) return set_outcome(record, judge_build(mutant, build.ok(), build.log));
  for (const auto& [path, hash] : worker_.program_hashes()) record.programs.push_back({path, pristine_programs_[path], hash});
  if (!differs(record.programs)) return judge_unchanged(planned, record);
  if (mutant.equivalent) return judge_equivalence(planned, record);
  if (mutant.generated) return judge_generated(tools(planned), planned, record);
  judge_by_gates(tools(planned), planned, record);
}

std::optional<std::map<std::string, std::string>> Experiment::programs_with(const std::vector<MutatedFile>& files,
                                                                            const PlannedMutant& planned) {
  worker_.planted().restore();
  worker_.planted().plant(files);
  if (!worker_.build(planned.mutant.targets).ok()) return std::nullopt;
  return worker_.program_hashes();
}

// One that prepares another's way (declares what that uses) may change nothing by itself.
std::string Experiment::effect_of(const EditFiles& edit, const PlannedMutant& planned, const std::map<std::string, std::string>& mutated) {
  auto const alone = programs_with(edit.alone, planned);
  if (!alone) return "does not build alone";
  if (*alone != pristine_programs_) return "changes a program";
  return programs_with(edit.others, planned) == mutated ? "changes nothing" : "changes a program beside the others";
}

void Experiment::prove_edits(const PlannedMutant& planned, Record& record) {
  std::map<std::string, std::string> mutated;
  for (const ProgramRecord& program : record.programs) mutated[program.path] = program.mutated;
  for (const EditFiles& edit : planned.finding.each) {
    record.edits.push_back({edit.where, effect_of(edit, planned, mutated)});
    if (record.edits.back().effect != "changes nothing" || !record.as_declared) continue;
    set_outcome(record,
                {Outcome::not_reached, false,
                 fmt::format("it was {}, but {} changes no program, alone or beside the others", word(record.outcome), edit.where)});
  }
}

BuildRun Experiment::build_in_time(const std::vector<std::string>& targets, Record& record) {
  BuildRun build = worker_.build(targets);
  auto const attempt = [&] {
    std::string const ending = build.timed_out ? "timed out" : fmt::format("exit code {}", build.exit_code);
    return AttemptRecord{"build", false, build.limit_seconds, build.seconds, build.timed_out, ending};
  };
  record.attempts = attempts_of(attempt(), [&](Patience patience) {
    build = worker_.build(targets, patience);
    return attempt();
  });
  return build;
}

gates::ProcessResult Experiment::run_witness(const std::vector<std::string>& argv, Record& record) {
  auto process = worker_.run_command(argv);
  auto const attempt = [&](Patience patience) {
    std::string const ending = words_of(process);
    return AttemptRecord{"witness", false, patience * worker_.command_limit_seconds(), process.wall_seconds, process.timed_out, ending};
  };
  auto const attempts = attempts_of(attempt(1), [&](Patience patience) {
    process = worker_.run_command(argv, patience);
    return attempt(patience);
  });
  record.attempts.insert(record.attempts.end(), attempts.begin(), attempts.end());
  return process;
}

TrialTools Experiment::tools(const PlannedMutant& planned) {
  auto const run = [&](const std::vector<gates::Gate>& gates) {
    std::map<std::string, Shown> shown;
    for (auto& [id, result] : worker_.run_gates(gates, pristine_.all())) shown[id] = {std::move(result), std::nullopt};
    return shown;
  };
  auto const run_again = [&](const gates::Gate& gate, Patience patience) {
    return Shown{worker_.run_gates({gate}, pristine_.all(), {{}, {}, patience}).at(gate.id), std::nullopt};
  };
  auto const pristine = [&](const std::vector<gates::Gate>& gates) { return run_pristine(planned, gates); };
  auto const never = [](const gates::Gate&) { return false; };
  return {gates_, pristine_, out_, killers_, planned.mutant.edits.front().function, run, run_again, pristine, never};
}

GateResults Experiment::run_pristine(const PlannedMutant& planned, const std::vector<gates::Gate>& gates) {
  worker_.planted().restore();
  if (!worker_.build(planned.mutant.targets).ok()) return {};
  pristine_.add(worker_.run_gates(gates, {}));
  return pristine_.all();
}

void Experiment::judge_equivalence(const PlannedMutant& planned, Record& record) {
  const Witness& witness = planned.mutant.witness;
  if (witness.gate.empty()) {
    std::string why_not;
    auto const process = run_witness(witness.argv, record);
    out_.write_log(planned.mutant.id, "witness", process.output);
    if (process.timed_out) return set_outcome(record, {Outcome::timeout, false, witness.argv.front() + ": " + told(record.attempts)});
    if (process.oom) return set_outcome(record, {Outcome::oom, false, witness.argv.front() + ": out of memory"});
    bool const holds = process.ended_by_itself() && process.exit_code == 0;
    if (!holds) why_not = fmt::format("{}: {}", witness.argv.front(), words_of(process));
    return set_outcome(record, judge_witness(holds, why_not));
  }
  judge_by_witness(tools(planned), planned, record);
}

// The programs are the same bytes: either the compiler made the same code of it, or the line is in none of them.
void Experiment::judge_unchanged(const PlannedMutant& planned, Record& record) {
  if (planned.mutant.equivalent) return set_outcome(record, {Outcome::equivalent, true, "same object code"});
  switch (probe(planned)) {
    case Probe::stops_the_build:
      return set_outcome(record, {Outcome::equivalent, false, "not declared: the compiler makes the same programs of it"});
    case Probe::is_passed_over:
      return set_outcome(
          record, {Outcome::no_evidence, false, "no program changed: the build ends well although the compiler stops at the changed line"});
    case Probe::is_not_seen:
      return set_outcome(record,
                         {Outcome::not_reached, false, "no program changed, and the changed line is compiled into none of the targets"});
  }
}

Experiment::Probe Experiment::probe(const PlannedMutant& planned) {
  worker_.planted().restore();
  auto const probes = probe_files(planned.finding.files);
  if (probes.empty()) return Probe::is_not_seen;
  worker_.planted().plant(probes);
  BuildRun const build = worker_.build(planned.mutant.targets);
  worker_.planted().restore();
  if (build.log.find(probe_message) == std::string::npos) return Probe::is_not_seen;
  return build.ok() ? Probe::is_passed_over : Probe::stops_the_build;
}

}  // namespace redproof::mutants
