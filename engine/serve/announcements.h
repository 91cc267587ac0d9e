#pragma once
#include <string>
#include <vector>

#include "engine/serve/engine.h"

namespace redproof::engine {

// These options, but what would be announced goes to `lines`, and waits there until nothing is refused any more: a refusal stands alone.
EngineOptions keeping(EngineOptions options, std::vector<std::string>& lines);

void announce(const EngineOptions& options, const std::vector<std::string>& lines);

}  // namespace redproof::engine
