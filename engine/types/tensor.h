#pragma once
#include <cstdint>

namespace redproof::engine {

enum class DType : std::uint8_t { f32, bf16, f16 };

// A row-major matrix of a checkpoint, [rows, cols]; for a Linear layer [out, in]. Borrowed memory.
struct Matrix {
  const void* data;
  DType dtype;
  std::int64_t rows;
  std::int64_t cols;
};

}  // namespace redproof::engine
