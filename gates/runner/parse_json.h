#pragma once
#include <string>
#include <string_view>

#include "gates/runner/json_document.h"
#include "gates/runner/json_tree.h"

namespace redproof::gates {

// Throws Refusal naming `file` for text that is no JSON, is too deep or too large, or gives one key twice in an object.
JsonNode parse_json(std::string_view text, const std::string& file, const JsonLimits& limits);

}  // namespace redproof::gates
