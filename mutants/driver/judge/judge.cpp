#include "mutants/driver/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>

namespace redproof::mutants {
namespace {

using gates::GateResult;
using gates::LawEvidence;
using gates::Verdict;

// The entry that shows it: red, and with the failing element. A law may report for several subjects; one is enough.
const LawEvidence* red_law(const GateResult& result, const std::string& law) {
  const LawEvidence* found = nullptr;
  for (const LawEvidence& entry : result.evidence.laws) {
    if (entry.law != law || entry.verdict != Verdict::red) continue;
    if (found == nullptr || (!found->worst && entry.worst)) found = &entry;
  }
  return found;
}

std::string red_laws(const GateResult& result) {
  std::string names;
  for (const LawEvidence& entry : result.evidence.laws)
    if (entry.verdict == Verdict::red && names.find(entry.law) == std::string::npos) names += (names.empty() ? "" : ", ") + entry.law;
  return names.empty() ? result.reason : names;
}

// Shells and wrappers hand a signal on as 128 + its number.
bool is_crash(const gates::ProcessResult& process) {
  return process.signal != 0 || (process.exit_code > 128 && process.exit_code <= 128 + 64);
}

Ending broken_ending(const GateResult& result) {
  if (result.process.timed_out) return Ending::timeout;
  if (result.process.oom) return Ending::oom;
  return is_crash(result.process) ? Ending::crash : Ending::nothing;
}

bool prints(const GateResult& result, const std::string& message) { return result.process.output.find(message) != std::string::npos; }

// A foreign gate that leaves an exit code alone can name no law. What it prints tells a test that failed from a runner that did.
Ending lawless_ending(const Red& red, const GateResult& result, const GateResult& pristine, std::string& reason) {
  if (red.message.empty()) return Ending::red;
  if (prints(pristine, red.message)) {
    reason = fmt::format("gate {} prints `{}` on the pristine tree too", result.id, red.message);
    return Ending::nothing;
  }
  if (prints(result, red.message)) return Ending::red;
  reason = fmt::format("gate {} went red ({}) and did not print `{}`", result.id, result.reason, red.message);
  return Ending::red_elsewhere;
}

Ending red_ending(const Red& red, const GateResult& result, const GateResult& pristine, std::string& reason) {
  if (red.law.empty()) return lawless_ending(red, result, pristine, reason);
  const LawEvidence* const law = red_law(result, red.law);
  if (law == nullptr) {
    reason = fmt::format("gate {} went red, not in {}: {}", result.id, red.law, red_laws(result));
    return Ending::red_elsewhere;
  }
  if (law->worst) return Ending::red;
  reason = fmt::format("gate {}: {} is red and shows no failing element", result.id, red.law);
  return Ending::nothing;
}

// Of the laws that report here too: a gate may have been asked for some of its laws alone.
std::uint64_t elements_to_compare(const GateResult& result, const GateResult& pristine) {
  if (result.evidence.laws.empty()) return pristine.evidence.elements();
  std::uint64_t sum = 0;
  for (const LawEvidence& law : pristine.evidence.laws)
    if (result.evidence.find(law.law, law.subject) != nullptr) sum += law.elements;
  return sum;
}

Outcome outcome_of(Ending ending) {
  switch (ending) {
    case Ending::red:
      return Outcome::killed;
    case Ending::red_elsewhere:
      return Outcome::wrong_reason;
    case Ending::green:
      return Outcome::survived;
    case Ending::crash:
      return Outcome::crash;
    case Ending::timeout:
      return Outcome::timeout;
    case Ending::oom:
      return Outcome::oom;
    case Ending::nothing:
      break;
  }
  return Outcome::no_evidence;
}

bool is_expected(Expectation expects, Ending ending) {
  return (expects == Expectation::crash && ending == Ending::crash) || (expects == Expectation::timeout && ending == Ending::timeout) ||
         (expects == Expectation::oom && ending == Ending::oom);
}

Judged judge_red(const Mutant& mutant, const Red& red, const GateResult& result, const GateResult& pristine) {
  Judged judged;
  Ending const ending = ending_of(red, result, pristine, judged.reason);
  judged.outcome = outcome_of(ending);
  if (mutant.expects == Expectation::law) {
    judged.as_declared = ending == Ending::red;
  } else {
    judged.as_declared = is_expected(mutant.expects, ending);
    if (ending == Ending::red) {
      judged.outcome = Outcome::wrong_reason;
      judged.reason = fmt::format("gate {} went red, but {} was declared", red.gate, word(mutant.expects));
    }
  }
  if (judged.reason.empty() && ending != Ending::red) judged.reason = fmt::format("gate {}: {}", red.gate, result.reason);
  return judged;
}

}  // namespace

bool is_green_as_before(const GateResult& result, const GateResult& pristine, std::string& reason) {
  if (!gates::is_green(result.verdict)) {
    reason = fmt::format("gate {} is {}: {}", result.id, gates::word(result.verdict), result.reason);
    return false;
  }
  for (const LawEvidence& before : pristine.evidence.laws) {
    const LawEvidence* const now = result.evidence.find(before.law, before.subject);
    std::uint64_t const elements = now == nullptr ? 0 : now->elements;
    if (elements == before.elements) continue;
    reason = fmt::format("gate {}: {} checked {} elements, {} on the pristine tree", result.id, before.law, elements, before.elements);
    return false;
  }
  return true;
}

Ending ending_of(const Red& red, const GateResult& result, const GateResult& pristine, std::string& reason) {
  if (result.verdict == Verdict::red) return red_ending(red, result, pristine, reason);
  if (result.verdict == Verdict::broken) {
    reason = fmt::format("gate {}: {}", result.id, result.reason);
    return broken_ending(result);
  }
  if (!gates::is_green(result.verdict)) {
    reason = fmt::format("gate {} is {}: {}", result.id, gates::word(result.verdict), result.reason);
    return Ending::nothing;
  }
  if (!is_green_as_before(result, pristine, reason)) return Ending::nothing;
  reason = fmt::format("gate {} stayed green", result.id);
  return Ending::green;
}

// Where a run is prepared, a gate may be skipped that runs elsewhere.
bool was_skipped(const GateResult& pristine) { return pristine.verdict == Verdict::skipped; }

Judged judge_reds(const Mutant& mutant, const GateResults& results, const GateResults& pristine) {
  Judged survived, first;
  bool all_as_declared = true, any_survived = false, any_other = false;
  for (const Red& red : mutant.reds) {
    Judged const judged = judge_red(mutant, red, results.at(red.gate), pristine.at(red.gate));
    if (judged.as_declared) {
      if (first.reason.empty() && all_as_declared) first = judged;
      continue;
    }
    all_as_declared = false;
    bool const green = judged.outcome == Outcome::survived;
    if (green && !any_survived) survived = judged;
    if (!green && !any_other) first = judged;
    (green ? any_survived : any_other) = true;
  }
  if (all_as_declared || any_other) return first;
  return survived;
}

Judged judge_greens(const Mutant& mutant, const GateResults& results, const GateResults& pristine) {
  for (const std::string& gate : mutant.keeps_green) {
    std::string reason;
    if (is_green_as_before(results.at(gate), pristine.at(gate), reason)) continue;
    return {was_skipped(pristine.at(gate)) ? Outcome::no_evidence : Outcome::collateral, false, reason};
  }
  return {Outcome::killed, true, {}};
}

Judged judge_any(const GateResult& result, const GateResult& pristine) {
  std::string reason;
  Ending const ending = ending_of({result.id, {}}, result, pristine, reason);
  if (was_skipped(pristine)) return {Outcome::no_evidence, false, reason};
  if (ending == Ending::red) {
    const LawEvidence* const law = result.worst_law();
    return {Outcome::killed, true, law == nullptr ? result.id : result.id + "/" + law->law};
  }
  if (ending == Ending::green) return {Outcome::survived, true, reason};
  // Neither green nor red by a law: seen, but no law says what is wrong.
  Outcome const outcome = ending == Ending::nothing ? Outcome::wrong_reason : outcome_of(ending);
  return {outcome, true, reason};
}

Judged judge_build(const Mutant& mutant, bool built, const std::string& log) {
  if (mutant.build_message.empty()) return {Outcome::unviable, false, error_line(log)};
  if (built) return {Outcome::survived, false, "it builds, and the build had to refuse it"};
  if (log.find(mutant.build_message) != std::string::npos) return {Outcome::killed_by_build, true, {}};
  return {Outcome::wrong_reason, false, "the build refused it with another message: " + error_line(log)};
}

Judged judge_witness(bool holds, const std::string& why_not) {
  if (holds) return {Outcome::equivalent, true, "its witness holds"};
  return {Outcome::survived, false, "declared equivalent, but its witness shows a difference: " + why_not};
}

GateRecord record_of(const GateResult& result, const GateResult* pristine, std::string_view role, const std::string& law) {
  GateRecord record;
  record.gate = result.id;
  record.role = role;
  record.stage = gates::word(result.stage);
  record.verdict = gates::word(result.verdict);
  record.reason = result.reason;
  record.elements = result.evidence.elements();
  if (pristine != nullptr) record.pristine_elements = elements_to_compare(result, *pristine);
  record.exit_code_only = result.evidence.exit_code_only;
  record.confined = result.process.landlock_applied;
  record.out_of_memory = result.process.oom;
  record.seconds = result.seconds;
  const LawEvidence* shown = law.empty() ? nullptr : red_law(result, law);
  if (shown == nullptr) shown = result.worst_law();
  if (shown == nullptr) return record;
  record.law = shown->law;
  record.failures = shown->failures;
  if (shown->worst)
    record.worst = WorstRecord{shown->worst->where, shown->worst->inputs, shown->worst->observed,
                               shown->worst->truth, shown->worst->error,  shown->worst->bound};
  return record;
}

}  // namespace redproof::mutants
