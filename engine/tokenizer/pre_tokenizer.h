#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tokenizer/pattern.h"

namespace redproof::engine::text {

enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

struct Split {
  Pattern pattern;
  SplitBehavior behavior;
  bool invert;  // what stands between the matches takes the matches' part
};

// The parts of one text after one split, in order, none empty.
std::vector<std::string_view> split(const Split& how, std::string_view text);

// Splits, then the byte-level step, which comes last: an optional space in front of every part, then its own splits.
struct PreTokenizer {
  std::vector<Split> splits;
  bool add_prefix_space = false;
  std::vector<Split> byte_level_splits;  // empty, or GPT-2's pattern

  void for_each_word(std::string_view text, const std::function<void(std::string_view)>& take) const;
};

Split gpt2_split();
Split digits_split(bool individual);

}  // namespace redproof::engine::text
