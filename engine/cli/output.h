#pragma once
#include <string>
#include <string_view>

namespace redproof::engine::cli {

// Refusal where stdout loses any of it.
void write_out(const std::string& text);

// One line on stderr, its control characters escaped. A stderr that takes nothing changes neither the course of the program nor its exit
// code.
void write_error_line(std::string_view line) noexcept;

}  // namespace redproof::engine::cli
