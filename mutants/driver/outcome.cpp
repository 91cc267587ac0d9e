#include "mutants/driver/outcome.h"

#include "gates/runner/exit_code.h"

namespace redproof::mutants {

std::string_view word(Outcome outcome) {
  switch (outcome) {
    case Outcome::killed:
      return "killed";
    case Outcome::killed_by_build:
      return "killed_by_build";
    case Outcome::survived:
      return "survived";
    case Outcome::not_reached:
      return "not_reached";
    case Outcome::wrong_reason:
      return "wrong_reason";
    case Outcome::wrong_gate:
      return "wrong_gate";
    case Outcome::collateral:
      return "collateral";
    case Outcome::crash:
      return "crash";
    case Outcome::timeout:
      return "timeout";
    case Outcome::oom:
      return "oom";
    case Outcome::stale:
      return "stale";
    case Outcome::unviable:
      return "unviable";
    case Outcome::equivalent:
      return "equivalent";
    case Outcome::duplicate:
      return "duplicate";
    case Outcome::suppressed:
      return "suppressed";
    case Outcome::no_evidence:
      return "no_evidence";
    case Outcome::unproved:
      break;
  }
  return "unproved";
}

std::optional<Outcome> outcome_of(std::string_view text) {
  for (Outcome const outcome : all_outcomes)
    if (word(outcome) == text) return outcome;
  return std::nullopt;
}

int exit_code_of(Outcome outcome, bool as_declared) {
  if (as_declared) return gates::exit_as_declared;
  switch (outcome) {
    case Outcome::timeout:
      return gates::exit_timeout;
    case Outcome::unproved:
      return gates::exit_unproved;
    case Outcome::stale:
    case Outcome::unviable:
      return gates::exit_stale;
    case Outcome::no_evidence:
      return gates::exit_no_evidence;
    case Outcome::wrong_reason:
    case Outcome::collateral:
    case Outcome::crash:
    case Outcome::oom:
      return gates::exit_wrong_reason;
    default:
      return gates::exit_red;
  }
}

}  // namespace redproof::mutants
