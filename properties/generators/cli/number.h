#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace redproof::properties::cli {

// Numbers of the command line, in decimal and whole: nothing before or behind them. Refusal names the option and what was typed.
std::uint64_t seed_of(const std::string& option, const std::string& text);
double real_above(const std::string& option, const std::string& text, double low);  // finite

// A list: commas stand between the values of one word, words follow each other.
std::vector<int> whole_numbers(const std::string& option, const std::vector<std::string>& words, int low, int high);
std::vector<float> reals(const std::string& option, const std::vector<std::string>& words);  // NaN and infinity too, where typed as that

}  // namespace redproof::properties::cli
