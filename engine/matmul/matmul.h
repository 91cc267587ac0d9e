#pragma once
#include "engine/types/cpu.h"
#include "engine/types/tensor.h"

namespace redproof::engine {

// y[m, n] = x[m, :] . w[n, :] (+ bias[n]), x [m, w.cols] float32, y [m, w.rows] float32. Every output is one dot product of fixed order:
// 8 lanes (element k in lane k % 8), K ascending, multiply then add, then the tree ((0+4)+(2+6)) + ((1+5)+(3+7)), then the bias, which
// may be null. So a row's bits depend on its own inputs alone: not on m, on the other rows, on the instruction set or on the threads.
void matmul(const float* x, std::int64_t m, const Matrix& w, const float* bias, float* y, const CpuOptions& cpu);

}  // namespace redproof::engine
