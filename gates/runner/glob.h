#pragma once
#include <string_view>

namespace redproof::gates {

// `*` is any run of characters, `?` any one, everything else itself; the whole text must match.
bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace redproof::gates
