#include "engine/matmul/matmul.h"

#include <algorithm>

#include "engine/matmul/rows.h"
#include "engine/matmul/threads.h"

namespace redproof::engine {
namespace {

constexpr std::int64_t group_rows = 8;                   // slices begin at multiples of it, so that the fast kernels see whole groups
constexpr std::int64_t products_worth_a_thread = 32768;  // below this, waking a thread costs more than the work

int useful_threads(std::int64_t products, int threads) {
  return static_cast<int>(std::clamp<std::int64_t>(products / products_worth_a_thread, 1, threads));
}

}  // namespace

void matmul(const float* x, std::int64_t m, const Matrix& w, const float* bias, float* y, const CpuOptions& cpu) {
  const auto rows = cpu.isa == CpuIsa::avx2 ? matmul_rows_avx2 : matmul_rows_scalar;
  const std::int64_t groups = (w.rows + group_rows - 1) / group_rows;
  parallel_for(groups, useful_threads(m * w.rows * w.cols, cpu.threads), [&](std::int64_t begin, std::int64_t end) {
    rows({x, m, w, bias, y, begin * group_rows, std::min(end * group_rows, w.rows)});
  });
}

}  // namespace redproof::engine
