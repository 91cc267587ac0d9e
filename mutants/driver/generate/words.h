// Names as words: what makes two of them neighbours.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace redproof::mutants {

// `v_scale`, `vScale`, `v_scale_`, `v.scale`: v, scale.
std::vector<std::string> words_of(std::string_view name);
bool has_word(std::string_view name, std::string_view word);
// They differ in one word of several, or are a pair that belongs together by itself (k and v, first and last).
bool are_neighbours(std::string_view one, std::string_view other);

}  // namespace redproof::mutants
