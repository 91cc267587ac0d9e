#pragma once
#include <string>

namespace redproof::properties::cli {

// Refusal, naming the option: what was typed is no JSON, says a key twice, holds a number that no double holds.
void require_json(const std::string& option, const std::string& text);
void require_json_object(const std::string& option, const std::string& text);

}  // namespace redproof::properties::cli
