#pragma once
#include <filesystem>
#include <string>

namespace redproof::tests {

// parse_json and read_json_file for tests that do not look at the value.
void parse_document(const std::string& text, const std::string& document);
void read_document(const std::filesystem::path& file);

}  // namespace redproof::tests
