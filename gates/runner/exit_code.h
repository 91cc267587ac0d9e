// The exit codes that every program of the project shares, and which of several is told.
#pragma once
#include <span>

namespace redproof::gates {

enum ExitCode : int {
  exit_as_declared = 0,
  exit_refused = 1,       // usage, configuration, or an input the program refuses
  exit_red = 2,           // a gate red; a mutant survived, not_reached or wrong_gate
  exit_timeout = 3,       // a mutant timed out
  exit_unproved = 4,      // the pristine tree was not green
  exit_diff_differs = 5,  // the diff does not match the tree
  exit_diff_unread = 6,
  exit_stale = 7,          // a mutant stale or unviable
  exit_no_evidence = 8,    // an empty set; a gate vacuous, skipped, broken or unattested
  exit_not_restored = 9,   // a tree was not restored byte for byte
  exit_wrong_reason = 10,  // wrong_reason, collateral, crash, oom
  exit_threshold = 11,     // a threshold or a ratchet
  exit_device = 12,        // a device that was asked for is missing or wedged
  exit_internal = 70,
  exit_interrupted = 130,
};

// The louder of two codes, in the order 130, 9, 70, 1, 6, 5, 4, 2, 10, 7, 8, 12, 3, 11, 0. A code outside the list counts as 70.
int louder(int one, int other);
// The loudest of many; of none, 0.
int loudest(std::span<const int> codes);

}  // namespace redproof::gates
