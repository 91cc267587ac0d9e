// The three standard streams of a program: there from the start, and stdout never written in vain.
#pragma once
#include <string_view>

namespace redproof::gates {

// Opens /dev/null in the place of each of 0, 1 and 2 that was closed, so that no file of ours gets its number, and remembers whether stdout
// was. Called once, first of all, by a program's main.
void hold_standard_streams();
// Throws Refusal where stdout was closed from the start or does not take it all.
void print(std::string_view text);

}  // namespace redproof::gates
