#pragma once
#include <string>
#include <vector>

#include "engine/serve/engine.h"
#include "properties/run.h"

namespace redproof::properties {

// Checks that every logit of every step of every prompt has the bits of truth, and counts them as "logits".
void check_same_logits(const std::vector<engine::Generation>& observed, const std::vector<engine::Generation>& truth,
                       const std::string& inputs, Tally& tally);

}  // namespace redproof::properties
