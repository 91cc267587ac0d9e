#pragma once
#include <optional>
#include <string>

#include "engine/types/kv.h"

namespace redproof::engine {

// Every value that upstream's --kv-cache-dtype takes, in its order, separated by ", ".
std::string kv_dtype_names();
bool is_kv_dtype_name(const std::string& name);

// What a cache of this name stores here; empty where no kernel is routed for it.
std::optional<KvStorage> routed_storage(const std::string& name);

}  // namespace redproof::engine
