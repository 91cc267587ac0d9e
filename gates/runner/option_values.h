// What the values of a program's options may be. Parsers of command lines take much for a number, and nothing for a value.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace redproof::gates {

// Each answers what is wrong with a value, for one line behind the option's name, or "" where nothing is. A natural is digits alone, the
// first no 0 (parsers read octal), a decimal digits with at most one point and an exponent: no sign, no space, no hexadecimal, no NaN, no
// infinity.
std::string no_word(const std::string& text);
std::string no_natural(const std::string& text, std::uint64_t least, std::uint64_t most);
std::string no_decimal(const std::string& text, double least, double most);

// `a, b or c`: what a word may be.
std::string alternatives(const std::vector<std::string>& words);

// Throws Refusal where an option is given nothing, `--name=`: a parser would take the next word for its value.
void refuse_empty_assignments(int argc, const char* const* argv);

}  // namespace redproof::gates
