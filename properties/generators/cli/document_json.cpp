#include <nlohmann/json.hpp>

#include "engine/checkpoint/json_document.h"
#include "engine/types/error.h"
#include "properties/generators/checkpoint_documents.h"
#include "properties/generators/cli/document.h"

namespace redproof::properties::cli {

void require_json(const std::string& option, const std::string& text) { engine::parse_json(text, option); }

void require_json_object(const std::string& option, const std::string& text) {
  const nlohmann::json document = engine::parse_json(text, option);
  const engine::JsonFields refuses_what_is_no_object(document, option);
}

bool is_config_of_ours(const std::filesystem::path& file) {
  try {
    const nlohmann::json document = engine::read_json_file(file);
    return engine::JsonFields(document, file.string()).text(config_origin_field, "") == config_origin;
  } catch (const engine::Refusal&) {
    return false;
  }
}

}  // namespace redproof::properties::cli
