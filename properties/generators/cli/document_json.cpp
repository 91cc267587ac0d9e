#include <nlohmann/json.hpp>

#include "engine/checkpoint/json_document.h"
#include "properties/generators/cli/document.h"

namespace redproof::properties::cli {

void require_json(const std::string& option, const std::string& text) { engine::parse_json(text, option); }

void require_json_object(const std::string& option, const std::string& text) {
  const nlohmann::json document = engine::parse_json(text, option);
  const engine::JsonFields refuses_what_is_no_object(document, option);
}

}  // namespace redproof::properties::cli
