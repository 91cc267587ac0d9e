#include <nlohmann/json.hpp>

#include "engine/checkpoint/json_document.h"
#include "tests/engine/checkpoint/parse_document.h"

namespace redproof::tests {

void parse_document(const std::string& text, const std::string& document) { engine::parse_json(text, document); }

void read_document(const std::filesystem::path& file) { engine::read_json_file(file); }

}  // namespace redproof::tests
