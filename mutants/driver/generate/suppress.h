// What is not worth a mutant: by rule, or by a comment in the source that says why.
#pragma once
#include <string>
#include <vector>

#include "mutants/driver/generate/spot.h"

namespace redproof::mutants {

// `// mutate: skip REASON` behind code speaks for its line; on a line of its own for the statement, block or function that follows.
// `// mutate: skip(OPERATOR, ...) REASON` speaks of these operators alone, ``OPERATOR `TEXT` `` of what it puts TEXT in the place of.
struct SkippedOperator {
  std::string name;
  std::string text;  // empty: whatever it makes
  bool used = false;
};

struct SkipComment {
  std::size_t line = 0;
  std::vector<SkippedOperator> operators;  // none named: one without a name, for all
  std::string reason;
  Range covers;
};

// Throws gates::Refusal naming file and line where the reason is missing or an operator is none.
std::vector<SkipComment> skip_comments(const FileSyntax& file);
// Whether it speaks of the text that this operator puts at `at`; remembers that it does.
bool suppresses(SkipComment& comment, std::string_view operator_name, std::string_view text, std::size_t at);
// Why a spot is arid: messages, assertions, capacity, hints. Empty where it is not.
std::string arid_reason(const Spot& spot);

}  // namespace redproof::mutants
