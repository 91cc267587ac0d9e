#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pcre2_real_code_8;

namespace redproof::engine::text {

struct Range {
  std::size_t begin, end;  // bytes
};

enum class PatternSyntax { pcre2, literal };

// A compiled PCRE2 pattern over UTF-8, matched under limits. May be shared by threads.
class Pattern {
 public:
  Pattern(std::string_view source, PatternSyntax syntax);  // PatternError where PCRE2 refuses it

  // All matches from the left, none overlapping; an empty match right behind another match does not count. Precondition: text is UTF-8.
  // Refusal where a limit is reached.
  std::vector<Range> matches(std::string_view text) const;
  bool matches_whole(std::string_view text) const;

 private:
  std::shared_ptr<pcre2_real_code_8> code_;
};

}  // namespace redproof::engine::text
