// What is not worth a mutant: by rule, or by a comment in the source that says why.
#pragma once
#include <string>
#include <vector>

#include "mutants/driver/generate/spot.h"

namespace redproof::mutants {

// `// mutate: skip REASON` behind code speaks for its line; on a line of its own for the statement, block or function that follows.
// `// mutate: skip(OPERATOR, ...) REASON` speaks of these operators alone.
struct SkipComment {
  std::size_t line = 0;
  std::vector<std::string> operators;  // empty: all
  std::string reason;
  Range covers;
  bool used = false;
};

// Throws gates::Refusal naming file and line where the reason is missing or an operator is none.
std::vector<SkipComment> skip_comments(const FileSyntax& file);
// Whether it speaks of what this operator does at `at`.
bool concerns(const SkipComment& comment, std::string_view operator_name, std::size_t at);
// Why a spot is arid: messages, assertions, capacity, hints. Empty where it is not.
std::string arid_reason(const Spot& spot);

}  // namespace redproof::mutants
