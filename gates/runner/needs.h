#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "gates/runner/catalog.h"

namespace redproof::gates {

// The first of the gate's needs that this machine does not meet.
std::optional<std::string> missing_need(const Gate& gate, const std::filesystem::path& root, const std::filesystem::path& bin);

}  // namespace redproof::gates
