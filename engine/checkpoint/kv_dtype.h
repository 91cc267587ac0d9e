#pragma once
#include <filesystem>
#include <string>

#include "engine/types/kv.h"
#include "engine/types/model.h"

namespace redproof::engine {

// Resolves the KV dtype from the flag ("auto" or a name) and, for auto, from config.json and hf_quant_config.json alone; no weight is
// read. Refusal: a flag that is no KV dtype at all, or, for auto, documents on which upstream raises, naming document and field.
//
// A flag other than auto is taken as typed and the documents are not opened. A file that is missing declares nothing. A scheme of
// compressed-tensors keeps the name "auto", as upstream's resolver does, with origin `checkpoint` and storage fp8_e4m3, as upstream's
// attention layer does. Where a declaration asks for what no kernel does, storage is empty and unrouted_reason says why.
KvDtype resolve_kv_dtype(const std::string& flag, const std::filesystem::path& dir);

// Refusal where no kernel is routed for this dtype on this architecture, naming the architecture and the flag.
void require_routed(const KvDtype& dtype, const std::string& flag, const ModelConfig& config);

}  // namespace redproof::engine
