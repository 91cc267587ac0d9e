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

// k_scale and v_scale of every layer, under every name of the field. K's alone serves both sides; neither: 1. A bfloat16 cache reads no
// tensor. Refusal, naming file and tensor: V's alone, non-finite or non-positive once it is a float32 (upstream takes some of these in
// silence), more than one element, two names of one scale that disagree.
CheckpointScales load_kv_scales(const Checkpoint& checkpoint, std::int32_t layers, KvStorage storage);

}  // namespace redproof::engine
