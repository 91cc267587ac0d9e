#pragma once
#include <string>
#include <string_view>

namespace redproof::engine {

// Text of an untrusted file, fit for one line of a terminal: control characters (C0, DEL, C1) become \xNN, bytes that are not UTF-8 too.
std::string printable(std::string_view text);

}  // namespace redproof::engine
