#include "gates/runner/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gates/runner/exit_code.h"
#include "gates/runner/printable.h"
#include "gates/runner/signal_words.h"

namespace redproof::gates {

namespace {

constexpr double least_margin = 2;  // of the signal of the nearest declared mutant over the bound

Judgement broken(std::string reason) { return {Verdict::broken, std::move(reason)}; }

std::string name_of(const LawEvidence& law) { return fmt::format("{} on {}", printable(law.law, 80), printable(law.subject, 80)); }

std::uint64_t count_of(const Counts& counts, const std::string& name) {
  auto const at = std::find_if(counts.begin(), counts.end(), [&](const auto& entry) { return entry.first == name; });
  return at == counts.end() ? 0 : at->second;
}

// A bound without an end holds nothing.
bool is_inside(const WorstElement& worst) { return worst.error <= worst.bound && std::isfinite(worst.bound); }

Judgement judge_red(const LawEvidence& law) {
  if (law.failures == 0 || !law.worst) return broken("red without a failing element");
  if (is_inside(*law.worst)) return broken("red, but its worst element is within its bound");
  std::string reason = fmt::format("{} of {} elements", law.failures, law.elements);
  return {Verdict::red, law.reason.empty() ? reason : fmt::format("{}: {}", reason, printable(law.reason, 500))};
}

Judgement judge_green(const LawEvidence& law) {
  if (law.worst && !is_inside(*law.worst)) return broken("green, but its worst element is beyond its bound");
  if (law.elements == 0) return {Verdict::vacuous, "no element was checked"};
  for (auto const& [name, floor] : law.floors) {
    std::uint64_t const count = count_of(law.population, name);
    if (count < floor) return {Verdict::vacuous, fmt::format("{} {}, at least {} needed", count, printable(name, 80), floor)};
  }
  // A NaN is no margin either.
  if (law.margin && !(*law.margin >= least_margin))
    return {Verdict::vacuous,
            fmt::format("margin {:.3g}, at least {} needed: the nearest declared mutant would not show", *law.margin, least_margin)};
  return {Verdict::green, ""};
}

bool speaks_of_a_signal(int code) { return code > 128 && code <= 128 + 64; }

// Exit codes by which a shell says that a command was not there, not executable, or killed.
bool speaks_of_a_shell(int code) { return code == 126 || code == 127 || speaks_of_a_signal(code); }

// As it is told: with the signal that it may stand for.
std::string exit_code_words(int code) {
  return speaks_of_a_signal(code) ? fmt::format("exit code {}, as after {}", code, signal_words(code - 128))
                                  : fmt::format("exit code {}", code);
}

Judgement judge_exit_code(int code) {
  if (code == 0) return {Verdict::green, "by its exit code only"};
  if (speaks_of_a_shell(code)) return broken(exit_code_words(code) + ": a command was not found or was killed");
  return {Verdict::red, fmt::format("exit code {}", code)};
}

std::optional<Judgement> judge_process(const ProcessResult& process) {
  if (process.interrupted) return broken("interrupted");
  if (!process.start_error.empty()) return broken(printable(process.start_error, 500));
  if (process.timed_out) return broken("timed out");
  if (process.signal != 0) return broken(fmt::format("killed by {}{}", signal_words(process.signal), process.oom ? ", out of memory" : ""));
  return std::nullopt;
}

int exit_code_for(const std::vector<LawEvidence>& laws) {
  int code = exit_as_declared;
  for (auto const& law : laws) code = louder(code, exit_code_of(law.verdict));
  return code;
}

// The first thing that makes the evidence as a whole no evidence for this gate.
std::string contradiction(const Gate& gate, int exit_code, const Evidence& evidence) {
  if (!gate.foreign() && evidence.program != gate.program)
    return fmt::format("evidence: program: is \"{}\", not \"{}\"", printable(evidence.program, 80), gate.program);
  if (evidence.mutant)
    return fmt::format("evidence: mutant: {} was switched on in the process: it says nothing of the source",
                       printable(evidence.mutant->id, 80));
  if (evidence.laws.empty()) return "evidence: no law reported";
  for (auto const& law : gate.laws) {
    auto const reports = [&](const LawEvidence& entry) { return entry.law == law; };
    if (std::none_of(evidence.laws.begin(), evidence.laws.end(), reports))
      return fmt::format("the law {} did not report", printable(law, 80));
  }
  for (auto const& law : evidence.laws) {
    auto const family = law.subject.substr(0, law.subject.find('/'));
    if (std::find(gate.subjects.begin(), gate.subjects.end(), family) == gate.subjects.end())
      return fmt::format("{}: a subject that the gate does not name", name_of(law));
  }
  int const told = exit_code_for(evidence.laws);
  if (exit_code != told) return fmt::format("exit code {}, but its laws say {}", exit_code, told);
  return "";
}

int severity(Verdict verdict) {
  constexpr std::array loudest_last = {Verdict::green, Verdict::skipped, Verdict::vacuous, Verdict::red, Verdict::broken};
  return static_cast<int>(std::find(loudest_last.begin(), loudest_last.end(), verdict) - loudest_last.begin());
}

double excess(const WorstElement& worst) {
  if (std::isnan(worst.error) || std::isnan(worst.bound) || worst.bound <= 0) return std::numeric_limits<double>::infinity();
  return worst.error / worst.bound;
}

}  // namespace

Judgement judge_law(const LawEvidence& law) {
  if (law.verdict == Verdict::red) return judge_red(law);
  if (law.failures != 0) return broken(fmt::format("{} with {} failures", word(law.verdict), law.failures));
  if (law.verdict == Verdict::green) return judge_green(law);
  return {law.verdict, law.reason.empty() ? "no reason given" : printable(law.reason, 500)};
}

Judgement judge(const Gate& gate, const ProcessResult& process, const EvidenceReading& reading) {
  if (auto const judgement = judge_process(process)) return *judgement;
  if (reading.absent && gate.foreign() && gate.laws.empty()) return judge_exit_code(process.exit_code);
  if (reading.absent) return broken("left no evidence, " + exit_code_words(process.exit_code));
  if (!reading.evidence) return broken(reading.broken);
  auto const why = contradiction(gate, process.exit_code, *reading.evidence);
  if (!why.empty()) return broken(why);
  Judgement loudest{Verdict::green, ""};
  for (auto const& law : reading.evidence->laws) {
    auto const judgement = judge_law(law);
    if (severity(judgement.verdict) > severity(loudest.verdict))
      loudest = {judgement.verdict, fmt::format("{}: {}", name_of(law), judgement.reason)};
  }
  return loudest;
}

const LawEvidence* GateResult::worst_law() const {
  const LawEvidence* worst = nullptr;
  for (auto const& law : evidence.laws) {
    if (law.verdict != Verdict::red || !law.worst) continue;
    if (worst == nullptr || excess(*law.worst) > excess(*worst->worst)) worst = &law;
  }
  return worst;
}

}  // namespace redproof::gates
