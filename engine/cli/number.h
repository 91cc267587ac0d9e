#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redproof::engine::cli {

// Numbers of the command line, in decimal. Refusal names the option, the text as it was typed, and the range.
std::int64_t number_of(const std::string& option, std::string_view text, std::int64_t low, std::int64_t high);
std::int64_t memory_bytes(const std::string& option, const std::string& text);          // "4096", "512KiB", "64MiB", "1GiB"
std::vector<std::int32_t> token_ids(const std::string& option, std::string_view text);  // "1,2,3"

}  // namespace redproof::engine::cli
