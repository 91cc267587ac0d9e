#pragma once
#include <span>
#include <string>
#include <vector>

#include "engine/serve/engine.h"
#include "properties/run.h"

namespace redproof::properties {

// The lowest id of the largest logit.
std::int32_t lowest_argmax(std::span<const float> logits);

// Checks that every logit of every step of every prompt has the bits of truth, and counts them as "logits"; and that every token is the
// truth's, and the lowest argmax of its own logits, counted as "tokens".
void check_same_logits(const std::vector<engine::Generation>& observed, const std::vector<engine::Generation>& truth,
                       const std::string& inputs, Tally& tally);

}  // namespace redproof::properties
