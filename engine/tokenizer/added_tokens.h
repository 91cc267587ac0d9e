#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/tokenizer/pattern.h"

namespace redproof::engine::text {

struct AddedToken {
  std::int32_t id = 0;
  std::string content;
  bool special = false;      // decode may skip it
  bool normalized = false;   // looked for after normalization, not before
  bool left_strip = false;   // takes the white space in front of it
  bool right_strip = false;  // and behind it
  bool single_word = false;  // not where a word character touches it
};

struct Segment {
  std::string_view text;  // of ordinary text
  std::int32_t id = -1;   // of an added token
};

// Finds added tokens in text: the leftmost, and of those the longest.
class AddedTokenFinder {
 public:
  explicit AddedTokenFinder(std::vector<AddedToken> tokens);
  std::vector<Segment> segments(std::string_view text) const;  // in order

 private:
  std::int32_t longest_at(std::string_view text, std::size_t at) const;  // index of a token, -1: none
  bool stands_alone(std::string_view text, Range match) const;

  std::vector<AddedToken> tokens_;
  std::unordered_map<std::uint64_t, std::int32_t> children_;  // trie: node << 8 | byte -> node; node 0 is the root
  std::vector<std::int32_t> token_at_node_;                   // -1: none ends there
  Pattern word_character_;
};

}  // namespace redproof::engine::text
