// What is not worth a mutant: by rule, or by a comment in the source that says why.
#pragma once
#include <string>
#include <vector>

#include "mutants/driver/generate/spot.h"

namespace redproof::mutants {

// `// mutate: skip REASON` behind code speaks for its line; on a line of its own for the statement, block or function that follows.
struct SkipComment {
  std::size_t line = 0;
  std::string reason;
  Range covers;
  bool used = false;
};

// Throws gates::Refusal naming file and line where the reason is missing.
std::vector<SkipComment> skip_comments(const FileSyntax& file);
// Why a spot is arid: messages, assertions, capacity, hints. Empty where it is not.
std::string arid_reason(const Spot& spot);

}  // namespace redproof::mutants
