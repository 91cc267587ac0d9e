#include "engine/bits/isa.h"

#include "engine/types/error.h"
#include "tests/catch.h"

using namespace redproof::engine;

TEST_CASE("scalar runs everywhere, AVX2 is refused by name where the machine lacks it", "[isa]") {
  CHECK_NOTHROW(require_isa(CpuIsa::scalar));
  if (cpu_has_avx2()) {
    CHECK_NOTHROW(require_isa(CpuIsa::avx2));
  } else {
    CHECK_THROWS_AS(require_isa(CpuIsa::avx2), Refusal);
  }
}
