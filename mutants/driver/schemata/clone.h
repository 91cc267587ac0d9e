// The other bodies of one function: a counting copy and one body a mutant, chosen by one test of a byte at its entry.
#pragma once
#include <string>
#include <vector>

#include "mutants/driver/find/edits.h"
#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

// One mutant's part inside one function.
struct Variant {
  unsigned mutant;                        // from 1
  std::vector<Replacement> replacements;  // inside the body
};

struct Host {
  unsigned function;  // its number in the rewritten tree
  const Scope* scope;
  std::vector<Variant> variants;
};

// What stands between the opening brace of the body and its own first statement. Compilers name a mutant's body as the file
// "redproof-mutant-N/PATH" and a counting copy as "redproof-copy-F/PATH".
std::string dispatch_of(const Host& host, const FileSyntax& file);

}  // namespace redproof::mutants
