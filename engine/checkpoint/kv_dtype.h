#pragma once
#include <filesystem>
#include <string>

#include "engine/types/kv.h"
#include "engine/types/model.h"

namespace redproof::engine {

// Resolves the KV dtype from the flag ("auto" or a name) and, for auto, from config.json and hf_quant_config.json alone; no weight is
// read. Refusal where upstream raises, naming document and field.
KvDtype resolve_kv_dtype(const std::string& flag, const std::filesystem::path& dir);

// Refusal where no kernel is routed for this dtype on this architecture, naming the architecture and the flag.
void require_routed(const KvDtype& dtype, const std::string& flag, const ModelConfig& config);

}  // namespace redproof::engine
