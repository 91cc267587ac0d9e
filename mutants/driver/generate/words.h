// Names as words: what makes two of them neighbours.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redproof::mutants {

// `v_scale`, `vScale`, `v_scale_`, `v.scale`: v, scale.
std::vector<std::string> words_of(std::string_view name);
bool has_word(std::string_view name, std::string_view word);
// They differ in one word of several, or are a pair that belongs together by itself (k and v, first and last).
bool are_neighbours(std::string_view one, std::string_view other);

using WordPair = std::pair<std::string_view, std::string_view>;
// What stands beside a word; empty where it is in no pair.
std::string_view counterpart(std::span<const WordPair> pairs, std::string_view word);

}  // namespace redproof::mutants
