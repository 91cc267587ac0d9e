#pragma once
#include <cstdint>

#include "engine/checkpoint/json_document.h"
#include "engine/types/model.h"

namespace redproof::engine {

// rope_theta with rope_scaling, or the newer rope_parameters, of a config.json. Refusal: a type that is not routed, a missing or
// out-of-range parameter.
RopeConfig read_rope(const JsonFields& config, std::int64_t max_position_embeddings);

}  // namespace redproof::engine
