// What became of a mutant.
#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace redproof::mutants {

enum class Outcome {
  killed,           // the named gate went red in the law it was meant to
  killed_by_build,  // declared: the compiler refused it with this message
  survived,
  not_reached,   // the changed line is in none of the programs
  wrong_reason,  // the named gate failed, not in that law
  wrong_gate,    // only another gate went red
  collateral,    // a gate that had to stay green did not
  crash,
  timeout,
  oom,
  stale,     // applies nowhere, or at more than one place
  unviable,  // does not build
  equivalent,
  duplicate,
  suppressed,
  no_evidence,
  unproved,  // the pristine tree was not green
};

inline constexpr std::array all_outcomes = {
    Outcome::killed,     Outcome::killed_by_build, Outcome::survived,   Outcome::not_reached, Outcome::wrong_reason, Outcome::wrong_gate,
    Outcome::collateral, Outcome::crash,           Outcome::timeout,    Outcome::oom,         Outcome::stale,        Outcome::unviable,
    Outcome::equivalent, Outcome::duplicate,       Outcome::suppressed, Outcome::no_evidence, Outcome::unproved};

std::string_view word(Outcome outcome);
std::optional<Outcome> outcome_of(std::string_view word);
// The exit code that one mutant asks for: 0 as declared, else what its outcome says. An equivalent or duplicate that was not declared broke
// its promise as a survivor does.
int exit_code_of(Outcome outcome, bool as_declared);

}  // namespace redproof::mutants
