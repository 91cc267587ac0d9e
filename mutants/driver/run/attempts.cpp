#include "mutants/driver/run/attempts.h"

#include <fmt/format.h>

#include <array>

namespace redproof::mutants {

namespace {

constexpr std::array<Patience, 2> patiences{2, 4};

}  // namespace

std::vector<AttemptRecord> attempts_of(const AttemptRecord& first, const std::function<AttemptRecord(double patience)>& again) {
  std::vector<AttemptRecord> attempts;
  if (!first.timed_out) return attempts;
  attempts.push_back(first);
  for (Patience const patience : patiences) {
    if (!attempts.back().timed_out) break;
    attempts.push_back(again(patience));
    attempts.back().alone = true;
  }
  return attempts;
}

std::string told(const std::vector<AttemptRecord>& attempts) {
  std::string text = "timed out", join = " in";
  for (const AttemptRecord& attempt : attempts) {
    if (attempt.what != attempts.back().what) continue;
    text += fmt::format("{} {:.3g} s", join, attempt.limit_seconds);
    join = attempt.alone ? " and" : ", and alone in";
  }
  return text;
}

GateResults run_in_time(const std::vector<gates::Gate>& gates, const RunPristine& run) {
  GateResults results;
  if (!gates.empty()) results = run(gates, 1);
  for (Patience const patience : patiences)
    for (const gates::Gate& gate : gates)
      if (results.at(gate.id).process.timed_out) results[gate.id] = run({gate}, patience).at(gate.id);
  return results;
}

}  // namespace redproof::mutants
