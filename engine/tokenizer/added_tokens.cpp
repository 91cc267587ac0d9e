#include "engine/tokenizer/added_tokens.h"

#include <utility>

#include "engine/tokenizer/utf8.h"

namespace redproof::engine::text {
namespace {

// \w of Unicode's regular expressions (UTS 18, annex C). PCRE2's own is smaller.
constexpr std::string_view word_character = R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}])";

std::uint64_t edge(std::int32_t node, char byte) { return static_cast<std::uint64_t>(node) << 8 | static_cast<std::uint8_t>(byte); }

std::size_t without_space_before(std::string_view text, std::size_t at) {
  for (CodePoint point = code_point_before(text, at); point.bytes != 0 && is_white_space(point.value);
       point = code_point_before(text, at)) {
    at -= point.bytes;
  }
  return at;
}

std::size_t without_space_behind(std::string_view text, std::size_t at) {
  for (CodePoint point = code_point_at(text, at); point.bytes != 0 && is_white_space(point.value); point = code_point_at(text, at)) {
    at += point.bytes;
  }
  return at;
}

}  // namespace

AddedTokenFinder::AddedTokenFinder(std::vector<AddedToken> tokens)
    : tokens_(std::move(tokens)), token_at_node_{-1}, word_character_(word_character, PatternSyntax::pcre2) {
  for (std::size_t index = 0; index < tokens_.size(); ++index) {
    std::int32_t node = 0;
    for (char const byte : tokens_[index].content) {
      auto const [child, is_new] = children_.try_emplace(edge(node, byte), static_cast<std::int32_t>(token_at_node_.size()));
      if (is_new) token_at_node_.push_back(-1);
      node = child->second;
    }
    token_at_node_[node] = static_cast<std::int32_t>(index);
  }
}

std::int32_t AddedTokenFinder::longest_at(std::string_view text, std::size_t at) const {
  std::int32_t found = -1;
  std::int32_t node = 0;
  for (; at < text.size(); ++at) {
    auto const child = children_.find(edge(node, text[at]));
    if (child == children_.end()) break;
    node = child->second;
    if (token_at_node_[node] >= 0) found = token_at_node_[node];
  }
  return found;
}

bool AddedTokenFinder::stands_alone(std::string_view text, Range match) const {
  std::size_t const before = code_point_before(text, match.begin).bytes;
  std::size_t const behind = code_point_at(text, match.end).bytes;
  return !word_character_.matches_whole(text.substr(match.begin - before, before)) &&
         !word_character_.matches_whole(text.substr(match.end, behind));
}

std::vector<Segment> AddedTokenFinder::segments(std::string_view text) const {
  std::vector<Segment> found;
  std::size_t done = 0;  // text before this is in a segment
  for (std::size_t at = 0; at < text.size();) {
    std::int32_t const index = longest_at(text, at);
    if (index < 0) {
      ++at;
      continue;
    }
    AddedToken const& token = tokens_[index];
    Range match{at, at + token.content.size()};
    at = match.end;  // also where the match does not count
    if (token.single_word && !stands_alone(text, match)) continue;
    if (token.left_strip) match.begin = without_space_before(text, match.begin);
    if (token.right_strip) match.end = without_space_behind(text, match.end);
    if (done < match.begin) found.push_back({text.substr(done, match.begin - done)});
    found.push_back({{}, token.id});
    done = match.end;
  }
  if (done < text.size()) found.push_back({text.substr(done)});
  return found;
}

}  // namespace redproof::engine::text
