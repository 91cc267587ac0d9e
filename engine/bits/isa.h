#pragma once
#include "engine/types/cpu.h"

namespace redproof::engine {

bool cpu_has_avx2();  // AVX2 and F16C, which the files named _avx2 are compiled for

// Throws Refusal where this machine cannot run `isa`. Every entry point that takes an instruction set calls it before it touches memory.
void require_isa(CpuIsa isa);

}  // namespace redproof::engine
