// Shared memory of a kernel: one for all bodies, since each body's own would add up and not fit.
#pragma once
#include <string>
#include <vector>

#include "mutants/driver/find/edits.h"
#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

struct SharedMemory {
  std::string declarations;         // what stands in front of all bodies, with the constants that it needs
  std::vector<Replacement> moved;   // takes them out of the pristine body
  std::vector<Replacement> blanks;  // takes the memory out of another body
  std::vector<Range> decided_by;    // a mutant that changes one of these needs memory of its own
};

// Of what is declared in the outermost block of a function. Empty where that holds no shared memory.
SharedMemory shared_memory(const Scope& scope, const FileSyntax& file);

}  // namespace redproof::mutants
