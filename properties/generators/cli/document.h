#pragma once
#include <filesystem>
#include <string>

namespace redproof::properties::cli {

// Refusal, naming the option: what was typed is no JSON, says a key twice, holds a number that no double holds.
void require_json(const std::string& option, const std::string& text);
void require_json_object(const std::string& option, const std::string& text);

// Whether this is a config.json that make_checkpoint wrote.
bool is_config_of_ours(const std::filesystem::path& file);

}  // namespace redproof::properties::cli
