#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

namespace redproof::engine::text {

struct PatternError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// tokenizer.json's patterns are Oniguruma's (Ruby syntax); this writes them for PCRE2. A construct whose meaning differs between the two,
// or that no known pre-tokeniser uses, is a PatternError that names it.
std::string pcre2_pattern(std::string_view oniguruma);

}  // namespace redproof::engine::text
