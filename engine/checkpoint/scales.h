#pragma once
#include <string>
#include <vector>

#include "engine/checkpoint/safetensors.h"
#include "engine/types/kv.h"

namespace redproof::engine {

struct LayerScales {
  KvScales scales;
  KvScaleOrigin origin;
};

struct CheckpointScales {
  std::vector<LayerScales> layers;
  std::string warning;  // empty, or one line: an fp8 cache whose tensors cover only some or none of the layers
};

// k_scale and v_scale of every layer, under every name of the field. Refusal: non-finite, non-positive, or not one element.
CheckpointScales load_kv_scales(const Checkpoint& checkpoint, std::int32_t layers, KvStorage storage);

}  // namespace redproof::engine
