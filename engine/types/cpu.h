#pragma once
#include <cstdint>

namespace redproof::engine {

enum class CpuIsa : std::uint8_t { scalar, avx2 };

// How CPU kernels run. Neither field changes a bit of any result.
struct CpuOptions {
  CpuIsa isa;
  int threads;
};

}  // namespace redproof::engine
