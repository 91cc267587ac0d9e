#pragma once
#include <cstdint>

#include "engine/types/tensor.h"

namespace redproof::engine {

// A slice of a matrix product: y[:, begin..end). One thread runs one slice.
struct MatmulRows {
  const float* x;  // [m, w.cols]
  std::int64_t m;
  Matrix w;
  const float* bias;  // [w.rows] or null
  float* y;           // [m, w.rows]
  std::int64_t begin;
  std::int64_t end;
};

// Both give equal bits.
void matmul_rows_scalar(const MatmulRows& slice);
void matmul_rows_avx2(const MatmulRows& slice);

}  // namespace redproof::engine
