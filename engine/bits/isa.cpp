#include "engine/bits/isa.h"

#include "engine/types/error.h"

namespace redproof::engine {

// mutate: skip(constant, logical, relational `true`, return_value `true`) shows on a CPU without AVX2 alone
bool cpu_has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("f16c") != 0;
#else
  return false;
#endif
}

// mutate: skip(logical `!cpu_has_avx2()`, logical `false`, relational, statement_deleted) shows on a CPU without AVX2 alone
void require_isa(CpuIsa isa) {
  if (isa == CpuIsa::avx2 && !cpu_has_avx2()) throw Refusal("cpu isa avx2: this machine has no AVX2 with F16C; use scalar");
}

}  // namespace redproof::engine
