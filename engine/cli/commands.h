#pragma once
#include <string>
#include <string_view>

#include "engine/cli/arguments.h"

namespace redproof::engine::cli {

// Each returns what goes to stdout; announcements and warnings go to stderr as they come.
std::string generate(const Arguments& arguments);
std::string inspect(const Arguments& arguments);
std::string bench(const Arguments& arguments);

// Generated text for a terminal: control characters but newline and tab are escaped.
std::string terminal_text(std::string_view text);

}  // namespace redproof::engine::cli
