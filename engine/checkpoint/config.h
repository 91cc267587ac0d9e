#pragma once
#include <filesystem>

#include "engine/types/model.h"

namespace redproof::engine {

// Reads and checks config.json of a Hugging Face directory. Refusal: missing file or field, unknown architecture, unknown rope type.
ModelConfig read_config(const std::filesystem::path& dir);

}  // namespace redproof::engine
