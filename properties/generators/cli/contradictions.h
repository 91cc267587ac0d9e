#pragma once
#include "properties/generators/checkpoint.h"

namespace redproof::properties::cli {

// Refusal, naming the options: values that are fine alone and make no model together.
void refuse_contradictions(const CheckpointOptions& options);

}  // namespace redproof::properties::cli
