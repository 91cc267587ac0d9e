// What many files include from outside their project, parsed once: most of the time that a file takes.
#pragma once
#include <vector>

#include "gates/runner/scratch.h"
#include "mutants/driver/find/parse.h"

namespace redproof::mutants {

// One precompiled header for each set of flags, in a temporary folder that goes with this. Functions of it stay without bodies, so that it
// pays for one unit too.
class Preludes {
 public:
  // Gives each unit its prelude where one pays. Where one cannot be made, its units go without.
  Preludes(std::vector<ParseRequest>& units, unsigned jobs);

 private:
  gates::Scratch folder_;
};

}  // namespace redproof::mutants
