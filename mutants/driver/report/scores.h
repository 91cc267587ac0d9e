// What share of the mutants was killed, and by what: from the records alone.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/run/run.h"

namespace redproof::mutants {

// Every mutant is in exactly one of the counts.
struct Scores {
  std::size_t killed = 0;           // killed, killed_by_build; crash, timeout and oom where they were declared, never of a generated one
  std::size_t ended_otherwise = 0;  // wrong_gate, wrong_reason, collateral; else crash, timeout and oom
  std::size_t alive = 0;            // survived, not_reached
  std::size_t undecided = 0;        // stale, unviable, no_evidence, unproved
  std::size_t set_aside = 0;        // equivalent, duplicate, suppressed
  std::size_t not_run = 0;
  std::size_t by_named_law = 0;          // of the killed: a gate went red in the law that was named for it
  bool names_laws = false;               // of one mutant at least: generated ones name none
  std::size_t before_merge = 0;          // of the killed: the build refused it, or a gate of the stage premerge saw it
  std::vector<std::string> by_one_gate;  // killed, and of the gates that ran on it only one was red
  std::vector<std::string> twins;        // alive, and another that is alive and stands before it compiles to the same code
  std::vector<std::string> idle_gates;   // ran on mutants and were never red
  std::vector<std::string> killing_set;  // few gates that kill all that gates killed: each the one that kills most of what is left

  std::size_t judged() const { return killed + ended_otherwise + alive; }
  std::size_t all() const { return judged() + undecided + set_aside + not_run; }
  // Of the judged, in percent. Nothing where none was.
  std::optional<double> killed_percent() const;
  std::optional<double> by_named_law_percent() const;
  std::optional<double> before_merge_percent() const;
};

Scores scores_of(const RunReport& report);
// Killed less than this: exit 11. None judged: exit 8. Said in the notes.
void hold_to_threshold(double percent, RunReport& report);

}  // namespace redproof::mutants
