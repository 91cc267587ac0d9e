#pragma once
#include <vector>

#include "engine/bits/isa.h"

namespace redproof::engine::fixture {

// Those of this machine, the plainest first.
inline std::vector<CpuIsa> isas() { return cpu_has_avx2() ? std::vector{CpuIsa::scalar, CpuIsa::avx2} : std::vector{CpuIsa::scalar}; }

}  // namespace redproof::engine::fixture
