#include "mutants/driver/run/schemata_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <set>
#include <thread>

#include "gates/runner/atomic_file.h"
#include "mutants/driver/judge/judge.h"
#include "mutants/driver/schemata/build_errors.h"
#include "mutants/driver/schemata/runtime.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

// What no body beside the pristine one can show, whatever it changes.
std::string never_planted(const Mutant& mutant) {
  if (!mutant.build_message.empty()) return "the build has to refuse it";
  if (mutant.equivalent && mutant.witness.gate.empty()) return "its witness is a command";
  return {};
}

std::uint64_t sum_over(const std::vector<std::uint64_t>& counts, const std::vector<unsigned>& functions) {
  std::uint64_t sum = 0;
  for (unsigned const function : functions) sum += counts[function];
  return sum;
}

// A run that is a hundred times as long as the pristine one, and not for being short, does not end.
std::uint64_t limit_of(std::uint64_t pristine_ticks) { return 100 * pristine_ticks + 1'000'000; }

std::string orders_of(unsigned mutant, const std::vector<unsigned>& functions) {
  return fmt::format("{}:{}", mutant, fmt::join(functions, ","));
}

bool is_within(const Candidate& candidate, const std::optional<PathSet>& files) {
  return !files ||
         std::all_of(candidate.files->begin(), candidate.files->end(), [&](const auto& file) { return files->contains(file.path); });
}

void break_result(gates::GateResult& result, const std::string& why) {
  result.verdict = gates::Verdict::broken;
  result.reason = why;
}

}  // namespace

SchemataRun::SchemataRun(Worker& worker, const std::vector<gates::Gate>& gates, Pristine& pristine, OutputFolder& out,
                         SchemataOptions options)
    : worker_(worker), gates_(gates), pristine_(pristine), out_(out), options_(std::move(options)) {}

fs::path SchemataRun::lane_folder(unsigned lane) const { return worker_.home() / fmt::format("lane-{}", lane); }

void SchemataRun::plan(const std::vector<const PlannedMutant*>& todo) {
  std::set<std::string> files;
  for (std::size_t i = 0; i < todo.size(); ++i) {
    auto const number = static_cast<unsigned>(i + 1);
    numbers_[todo[i]->mutant.id] = number;
    std::string const why = never_planted(todo[i]->mutant);
    if (!why.empty()) {
      left_out_[number] = why;
      continue;
    }
    candidates_.push_back({number, &todo[i]->finding.files});
    for (const MutatedFile& file : todo[i]->finding.files) files.insert(file.path);
  }
  if (!options_.compile_commands) return;
  FindOptions const find{worker_.tree(), options_.compile_commands, std::max(1u, options_.jobs)};
  // What includes device code may launch it.
  for (const std::string& source : cuda_sources_including({files.begin(), files.end()}, find)) files.insert(source);
  syntax_ = syntax_of({files.begin(), files.end()}, find);
}

// As long as the compiler names mutants that it refuses, those are left out and the rest is tried again.
bool SchemataRun::build(const std::vector<std::string>& targets) {
  fs::path const runtime = worker_.home() / "redproof_schemata.h";
  while (true) {
    std::vector<Candidate> candidates;
    for (const Candidate& candidate : candidates_)
      if (!left_out_.contains(candidate.mutant) && is_within(candidate, kept_files_)) candidates.push_back(candidate);
    rewritten_ = rewrite(candidates, syntax_, runtime);
    left_out_.insert(rewritten_.left_out.begin(), rewritten_.left_out.end());
    if (rewritten_.functions.empty()) {
      why_not_ = "no mutant can be chosen at run time";
      return false;
    }
    auto const functions = static_cast<unsigned>(rewritten_.functions.size());
    gates::write_file_atomically(runtime, runtime_header(functions, functions_on_device(rewritten_)));
    worker_.planted().plant(rewritten_.files);
    BuildRun const build = worker_.build_all(targets);
    build_seconds_ += build.seconds;
    out_.write_log(kept_files_ ? "pristine/kept" : "pristine/schemata", "build", build.log);
    // Of some files alone it may be that no program holds them.
    if (build.ok() && (kept_files_ || worker_.program_hashes() != programs_)) return true;
    auto const refused = mutants_to_leave_out(build.log, rewritten_);
    worker_.planted().restore();
    if (build.timed_out || refused.empty()) {
      why_not_ = build.ok() ? "no program changed when all mutants were planted"
                            : "the tree with all mutants does not build: " + error_line(build.log);
      return false;
    }
    for (const auto& [mutant, line] : refused) left_out_[mutant] = "does not compile beside the pristine body: " + line;
    options_.on_note(fmt::format("{} mutants do not compile beside the pristine body; building without them", refused.size()));
  }
}

gates::Scratch& SchemataRun::scratch_of(unsigned lane) {
  std::lock_guard const guard(mutex_);
  return scratches_.try_emplace(lane, lane_folder(lane) / "tmp", true).first->second;
}

SchemataRun::Shot SchemataRun::shoot(const gates::Gate& gate, const std::string& orders, std::uint64_t limit, unsigned lane,
                                     Patience patience) {
  auto const functions = static_cast<unsigned>(rewritten_.functions.size());
  fs::path const folder = lane_folder(lane), echo = folder / "echo";
  fs::create_directories(folder / "tmp");
  write_echo(echo, functions, limit);
  GateSetting const setting{folder, {{active_variable, orders}, {echo_variable, echo.string()}}, patience, &scratch_of(lane)};
  Shot shot;
  GateResults before;
  if (const gates::GateResult* const known = pristine_.find(gate.id)) before[gate.id].seconds = known->seconds;
  shot.result = worker_.run_gates({gate}, before, setting).at(gate.id);
  shot.echo = read_echo(echo, functions);
  return shot;
}

GateResults SchemataRun::run_unmutated(const std::vector<gates::Gate>& gates, unsigned lane, Patience patience) const {
  fs::create_directories(lane_folder(lane) / "tmp");
  return worker_.run_gates(gates, pristine_.all(), {lane_folder(lane), {}, patience});
}

// With no mutant active, and with every function's counting copy instead of the function: both green, over the pristine elements.
bool SchemataRun::prove(const std::vector<const PlannedMutant*>& todo) {
  auto gates = gates_named(gates_, gates_needed(todo, gates_));
  std::erase_if(gates, [&](const gates::Gate& gate) {
    const gates::GateResult* const before = pristine_.find(gate.id);
    return before != nullptr && before->verdict == gates::Verdict::skipped;
  });
  return is_as_expected(run_unmutated(gates), pristine_.all()) && prove_counted(gates);
}

bool SchemataRun::is_as_expected(const gates::GateResult& result, const GateResults& expected, const char* log, const char* what) {
  std::string reason = "gate " + result.id + " was not run on the pristine tree";
  out_.write_log(log, result.id, result.process.output);
  auto const found = expected.find(result.id);
  // What the machine that prepared could not run shows here for the first time what it checks.
  if (found != expected.end() && found->second.verdict == gates::Verdict::skipped && gates::is_green(result.verdict)) return true;
  if (found != expected.end() && is_green_as_before(result, found->second, reason)) return true;
  why_not_ = fmt::format("{}: {}", what, reason);
  return false;
}

bool SchemataRun::is_as_expected(const GateResults& results, const GateResults& expected) {
  return std::all_of(results.begin(), results.end(), [&](const auto& entry) {
    return is_as_expected(entry.second, expected, kept_files_ ? "pristine/kept" : "pristine/schemata", "with no mutant active");
  });
}

bool SchemataRun::prove_counted(const std::vector<gates::Gate>& gates) {
  GateResults const pristine = pristine_.all();
  for (const auto& [id, shot] : count(gates)) {
    if (!is_as_expected(shot.result, pristine, kept_files_ ? "pristine/kept_counted" : "pristine/counted", "with every function counted"))
      return false;
    counts_[id] = shot.echo;
  }
  return true;
}

bool SchemataRun::adopt(const Numbering& numbering, const GateResults& expected, const std::vector<const PlannedMutant*>& todo) {
  numbers_ = numbering.mutants;
  rewritten_.functions = numbering.functions;
  rewritten_.functions_of = numbering.functions_of;
  auto const gates = gates_named(gates_, gates_needed(todo, gates_));
  options_.on_note("running the gates with no mutant active, and counting");
  GateResults const unmutated = run_unmutated(gates);
  if (!is_as_expected(unmutated, expected)) return false;
  pristine_.add(unmutated);
  return prove_counted(gates);
}

Numbering SchemataRun::numbering() const {
  Numbering numbering{rewritten_.functions, {}, {}};
  for (const auto& [id, number] : numbers_) {
    auto const functions = rewritten_.functions_of.find(number);
    if (left_out_.contains(number) || functions == rewritten_.functions_of.end()) continue;
    numbering.mutants[id] = number;
    numbering.functions_of.insert(*functions);
  }
  return numbering;
}

std::map<std::string, SchemataRun::Shot> SchemataRun::count(const std::vector<gates::Gate>& gates) {
  std::map<std::string, Shot> shots;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr thrown;
  auto const work = [&](unsigned lane) {
    try {
      for (std::size_t i = next++; i < gates.size(); i = next++) {
        Shot shot = shoot(gates[i], "0:", 0, lane);
        std::lock_guard const guard(mutex);
        shots[gates[i].id] = std::move(shot);
      }
    } catch (...) {
      std::lock_guard const guard(mutex);
      thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned lane = 0; lane < std::max(1u, options_.jobs); ++lane) threads.emplace_back(work, lane);
  }
  if (thrown) std::rethrow_exception(thrown);
  return shots;
}

bool SchemataRun::prepare(const std::vector<const PlannedMutant*>& todo, const std::vector<std::string>& targets) {
  plan(todo);
  programs_ = worker_.program_hashes();
  options_.on_note("building the tree with all mutants in it");
  if (!build(targets)) return false;
  options_.on_note(fmt::format("built in {:.1f} s; running the gates with no mutant active, and counting", build_seconds_));
  return prove(todo) || keep_sound_files(todo, targets);
}

// Why the tree is not as it has to be when only the mutants of `kept` are in it.
std::string SchemataRun::why_not_with(const PathSet& kept, const std::vector<const PlannedMutant*>& todo,
                                      const std::vector<std::string>& targets) {
  if (options_.is_late && options_.is_late()) return "out of time";
  worker_.planted().restore();
  counts_.clear();
  kept_files_ = kept;
  bool const is_sound = build(targets) && prove(todo);
  // Some files have nothing to plant without others.
  return is_sound || rewritten_.functions.empty() ? std::string() : why_not_;
}

// The mutants of files whose rewriting shows with no mutant active are left out. A gate that wavers must not decide that: before the search
// and at its end the same tree is proved once more.
bool SchemataRun::keep_sound_files(const std::vector<const PlannedMutant*>& todo, const std::vector<std::string>& targets) {
  constexpr std::size_t most_unsound = 4;
  std::string const whole = why_not_;
  PathSet rewritten;
  for (const HostFunction& function : rewritten_.functions) rewritten.insert(function.path);
  SoundFiles found;
  if (rewritten.size() > 1) {
    if (prove(todo)) return true;
    options_.on_note(whole + "; finding the files whose rewriting shows");
    found = sound_among({rewritten.begin(), rewritten.end()}, whole, most_unsound,
                        [&](const PathSet& kept) { return why_not_with(kept, todo, targets); });
  }
  bool const is_found = !found.sound.empty() && found.unsound.size() <= most_unsound;
  bool const is_kept = is_found && (kept_files_ == found.sound || why_not_with(found.sound, todo, targets).empty());
  if (!is_kept || rewritten_.functions.empty() || worker_.program_hashes() == programs_ || !prove(todo)) {
    why_not_ = whole;
    worker_.planted().restore();
    return false;
  }
  for (const Candidate& candidate : candidates_)
    for (const MutatedFile& file : *candidate.files)
      if (auto const why = found.unsound.find(file.path); why != found.unsound.end())
        left_out_.try_emplace(candidate.mutant, fmt::format("{}, where {} is rewritten", why->second, file.path));
  for (const auto& [path, why] : found.unsound) options_.on_note(fmt::format("{}: its mutants are built by themselves", path));
  return true;
}

std::string SchemataRun::left_out(const PlannedMutant& planned) const {
  unsigned const number = numbers_.at(planned.mutant.id);
  if (auto const found = left_out_.find(number); found != left_out_.end()) return found->second;
  return planned.mutant.generated ? std::string() : constant_host(number);
}

// Where the compiler has run the function, no entrance at run time shows what the mutant does there.
std::string SchemataRun::constant_host(unsigned number) const {
  for (unsigned const function : rewritten_.functions_of.at(number))
    if (rewritten_.functions[function].is_constexpr)
      return rewritten_.functions[function].name + " is constexpr: the compiler may have run it";
  return {};
}

bool SchemataRun::holds(const PlannedMutant& planned, const Record& record) const {
  if (!record.as_declared || planned.finding.each.size() > 1) return false;
  bool const unseen = record.outcome == Outcome::survived || record.outcome == Outcome::not_reached;
  return !unseen || constant_host(numbers_.at(planned.mutant.id)).empty();
}

bool SchemataRun::compares(const PlannedMutant& planned) const { return constant_host(numbers_.at(planned.mutant.id)).empty(); }

// Of a gate that was not among those proved: it is run and counted when it is first asked for.
const Echo& SchemataRun::counted(const gates::Gate& gate, unsigned lane) {
  {
    std::lock_guard const guard(mutex_);
    if (auto const found = counts_.find(gate.id); found != counts_.end()) return found->second;
  }
  Shot shot = shoot(gate, "0:", 0, lane);
  pristine_.add({{gate.id, shot.result}});
  std::lock_guard const guard(mutex_);
  return counts_.try_emplace(gate.id, shot.echo).first->second;
}

Shown SchemataRun::show(const gates::Gate& gate, unsigned mutant, unsigned lane, Patience patience) {
  auto const& functions = rewritten_.functions_of.at(mutant);
  const Echo& pristine = counted(gate, lane);
  // Up to the first entrance everything is as on the pristine tree, so a gate that never enters there never enters here.
  if (sum_over(pristine.entered, functions) == 0) return {*pristine_.find(gate.id), 0, true};
  std::uint64_t const ticks = sum_over(pristine.ticked, functions);
  Shot shot = shoot(gate, orders_of(mutant, functions), limit_of(ticks), lane, patience);
  gates::GateResult& result = shot.result;
  if (shot.echo.hung) {
    break_result(result, fmt::format("hit limit: more than {} entries and rounds, {} on the pristine tree", limit_of(ticks), ticks));
    result.process.timed_out = true;
  } else if (shot.echo.processes == 0 || shot.echo.active != mutant) {
    break_result(result, fmt::format("no process says that mutant {} was active", mutant));
  } else if (shot.echo.hits == 0 && !gates::is_green(result.verdict)) {
    break_result(result, "it is " + std::string(gates::word(result.verdict)) + ", and the mutant was never entered");
  }
  return {std::move(result), shot.echo.hits, shot.echo.hung};
}

Record SchemataRun::run(const PlannedMutant& planned, unsigned lane) {
  auto const start = std::chrono::steady_clock::now();
  unsigned const mutant = numbers_.at(planned.mutant.id);
  Record record;
  record.id = planned.mutant.id;
  record.key = planned.key;
  record.planting = schemata;
  for (const MutatedFile& file : planned.finding.files) record.files.push_back({file.path, file.before_sha256, file.after_sha256, {}});
  auto const run = [&](const std::vector<gates::Gate>& gates) {
    std::map<std::string, Shown> shown;
    for (const gates::Gate& gate : gates) shown[gate.id] = show(gate, mutant, lane);
    return shown;
  };
  auto const run_again = [&](const gates::Gate& gate, Patience patience) { return show(gate, mutant, lane, patience); };
  auto const run_pristine = [&](const std::vector<gates::Gate>& gates) {
    for (const gates::Gate& gate : gates) counted(gate, lane);
    return pristine_.all();
  };
  // What was prepared elsewhere knows functions by their numbers alone.
  std::string const host = fmt::format("{}", fmt::join(rewritten_.functions_of.at(mutant), " "));
  auto const is_green_alone = [&](const gates::Gate& asked) {
    return pristine_.is_green_alone(asked, [&] { return run_unmutated({asked}, lane).at(asked.id); });
  };
  TrialTools const tools{gates_, pristine_, out_, killers_, host, run, run_again, run_pristine, is_green_alone};
  auto const judge = planned.mutant.generated ? judge_generated : planned.mutant.equivalent ? judge_by_witness : judge_by_gates;
  judge(tools, planned, record);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

}  // namespace redproof::mutants
