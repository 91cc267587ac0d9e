#include "mutants/driver/run/attempts.h"

#include <fmt/format.h>

namespace redproof::mutants {

std::vector<AttemptRecord> attempts_of(const AttemptRecord& first, const std::function<AttemptRecord(double patience)>& again) {
  std::vector<AttemptRecord> attempts;
  if (!first.timed_out) return attempts;
  attempts.push_back(first);
  for (double const patience : {2.0, 4.0}) {
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

}  // namespace redproof::mutants
