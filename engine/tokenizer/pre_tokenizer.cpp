#include "engine/tokenizer/pre_tokenizer.h"

#include "engine/tokenizer/dialect.h"

namespace redproof::engine::text {
namespace {

struct Part {
  Range range;
  bool is_match;
};

// Matches and what stands between them, covering the text.
std::vector<Part> parts_of(const Split& how, std::string_view text) {
  std::vector<Part> parts;
  std::size_t end = 0;
  for (Range const match : how.pattern.matches(text)) {
    if (match.begin != end) parts.push_back({{end, match.begin}, how.invert});
    parts.push_back({match, !how.invert});
    end = match.end;
  }
  if (end != text.size()) parts.push_back({{end, text.size()}, how.invert});
  return parts;
}

std::vector<Range> contiguous(const std::vector<Part>& parts) {
  std::vector<Range> ranges;
  bool previous = false;
  for (Part const& part : parts) {
    if (part.is_match == previous && !ranges.empty()) {
      ranges.back().end = part.range.end;
    } else {
      ranges.push_back(part.range);
    }
    previous = part.is_match;
  }
  return ranges;
}

// Of several matches in a row only the one beside the other part joins it.
std::vector<Range> merged_with_previous(const std::vector<Part>& parts) {
  std::vector<Range> ranges;
  bool previous = false;
  for (Part const& part : parts) {
    if (part.is_match && !previous && !ranges.empty()) {
      ranges.back().end = part.range.end;
    } else {
      ranges.push_back(part.range);
    }
    previous = part.is_match;
  }
  return ranges;
}

std::vector<Range> merged_with_next(const std::vector<Part>& parts) {
  std::vector<Range> ranges;  // from the right
  bool following = false;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->is_match && !following && !ranges.empty()) {
      ranges.back().begin = part->range.begin;
    } else {
      ranges.push_back(part->range);
    }
    following = part->is_match;
  }
  return {ranges.rbegin(), ranges.rend()};
}

std::vector<Range> kept(const std::vector<Part>& parts, bool keep_matches) {
  std::vector<Range> ranges;
  for (Part const& part : parts) {
    if (keep_matches || !part.is_match) ranges.push_back(part.range);
  }
  return ranges;
}

std::vector<Range> ranges_of(SplitBehavior behavior, const std::vector<Part>& parts) {
  switch (behavior) {
    case SplitBehavior::removed:
      return kept(parts, false);
    case SplitBehavior::merged_with_previous:
      return merged_with_previous(parts);
    case SplitBehavior::merged_with_next:
      return merged_with_next(parts);
    case SplitBehavior::contiguous:
      return contiguous(parts);
    case SplitBehavior::isolated:
      break;
  }
  return kept(parts, true);
}

std::vector<std::string_view> split_all(const std::vector<Split>& splits, std::string_view text) {
  std::vector<std::string_view> words = {text};
  for (Split const& how : splits) {
    std::vector<std::string_view> finer;
    for (std::string_view const word : words) {
      std::vector<std::string_view> const parts = split(how, word);
      finer.insert(finer.end(), parts.begin(), parts.end());
    }
    words = std::move(finer);
  }
  return words;
}

}  // namespace

std::vector<std::string_view> split(const Split& how, std::string_view text) {
  std::vector<std::string_view> words;
  for (Range const range : ranges_of(how.behavior, parts_of(how, text))) {
    if (range.begin != range.end) words.push_back(text.substr(range.begin, range.end - range.begin));
  }
  return words;
}

void PreTokenizer::for_each_word(std::string_view text, const std::function<void(std::string_view)>& take) const {
  for (std::string_view const part : split_all(splits, text)) {
    bool const prefixed = add_prefix_space && !part.starts_with(' ');
    std::string const with_space = prefixed ? " " + std::string(part) : std::string();
    for (std::string_view const word : split_all(byte_level_splits, prefixed ? std::string_view(with_space) : part)) take(word);
  }
}

Split gpt2_split() {
  constexpr std::string_view pattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  return {Pattern(pcre2_pattern(pattern), PatternSyntax::pcre2), SplitBehavior::isolated, false};
}

Split digits_split(bool individual) {
  return {Pattern(R"(\p{N})", PatternSyntax::pcre2), individual ? SplitBehavior::isolated : SplitBehavior::contiguous, false};
}

}  // namespace redproof::engine::text
