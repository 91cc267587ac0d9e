// Inside the files that write JSON only.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "mutants/driver/record.h"

namespace redproof::mutants {

nlohmann::ordered_json json_of(const Record& record);

}  // namespace redproof::mutants
