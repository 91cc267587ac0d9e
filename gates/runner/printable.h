// Text of others, made safe for a terminal and for one line.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace redproof::gates {

// Control characters (C0, DEL, C1, the bidirectional overrides) and bytes that are no UTF-8 as \xNN or \u{N}; longer than `most` bytes:
// cut, with "...".
std::string printable(std::string_view text, std::size_t most = SIZE_MAX);
// The same, but line feeds and tabs stay: for blocks of output.
std::string printable_block(std::string_view text);

}  // namespace redproof::gates
