// The other bodies of one function: a counting copy and one body a mutant, chosen by one test at its entry.
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

// What becomes of one function.
struct SecondEntrance {
  std::string dispatch;            // between the opening brace of the body and its own first statement
  std::vector<Replacement> moved;  // in its own body: what the dispatch declares for all bodies
};

// Compilers name a mutant's body as the file "redproof-mutant-N/PATH" and a counting copy as "redproof-copy-F/PATH". `added` is put into
// every body but the pristine one.
SecondEntrance second_entrance(const Host& host, const FileSyntax& file, const std::vector<Replacement>& added);

}  // namespace redproof::mutants
