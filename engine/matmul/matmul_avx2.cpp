#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "engine/bits/bf16.h"
#include "engine/matmul/rows.h"

namespace redproof::engine {
namespace {

// Weights as stored, widened to 8 float32 lanes. All widenings are exact.
struct Bf16 {
  using Stored = std::uint16_t;
  static __m256 load(const Stored* w) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(w));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  }
  static float one(Stored w) { return bf16_to_f32(w); }
};

struct F16 {
  using Stored = std::uint16_t;
  static __m256 load(const Stored* w) { return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(w))); }
  static float one(Stored w) { return f16_to_f32(w); }
};

struct F32 {
  using Stored = float;
  static __m256 load(const Stored* w) { return _mm256_loadu_ps(w); }
  static float one(Stored w) { return w; }
};

constexpr std::int64_t lanes = 8;
constexpr std::int64_t line_bytes = 64;

__m256i tail_mask(std::int64_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

// The last cols % 8 weights of a row, padded with zeros: a product of two zeros adds nothing, as no lane is ever -0.
template <class W>
__m256 load_tail(const typename W::Stored* w, std::int64_t count) {
  std::array<float, lanes> padded{};
  for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j) padded[j] = W::one(w[j]);
  return _mm256_loadu_ps(padded.data());
}

// ((0+4)+(2+6)) + ((1+5)+(3+7))
float tree(__m256 sum) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

// Adds elements [k, k + 8) of R consecutive weight rows times X rows of x: R * X independent chains hide the latency of the additions.
template <class W, std::size_t R, std::size_t X>
inline void step(const float* x, const typename W::Stored* w, std::int64_t cols, std::int64_t k, __m256 (&sum)[R * X]) {
  __m256 in[X];
#pragma GCC unroll 2
  for (std::size_t i = 0; i < X; ++i) in[i] = _mm256_loadu_ps(x + static_cast<std::int64_t>(i) * cols + k);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < R; ++r) {
    const __m256 weight = W::load(w + static_cast<std::int64_t>(r) * cols + k);
#pragma GCC unroll 2
    for (std::size_t i = 0; i < X; ++i) sum[r * X + i] = _mm256_add_ps(sum[r * X + i], _mm256_mul_ps(weight, in[i]));
  }
}

template <class W, std::size_t R, std::size_t X>
void tail(const float* x, const typename W::Stored* w, std::int64_t cols, std::int64_t k, __m256 (&sum)[R * X]) {
  const __m256i mask = tail_mask(cols - k);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < R; ++r) {
    const __m256 weight = load_tail<W>(w + static_cast<std::int64_t>(r) * cols + k, cols - k);
#pragma GCC unroll 2
    for (std::size_t i = 0; i < X; ++i) {
      const __m256 in = _mm256_maskload_ps(x + static_cast<std::int64_t>(i) * cols + k, mask);
      sum[r * X + i] = _mm256_add_ps(sum[r * X + i], _mm256_mul_ps(weight, in));
    }
  }
}

// R rows are R short streams, which the hardware follows badly; their memory is one, so it is fetched as one, well ahead.
template <std::size_t R>
inline void fetch_ahead(const void* w, std::int64_t offset_bytes) {
  constexpr std::int64_t distance_bytes = 16384;  // measured: 32 GB/s on one thread, 20 without
#pragma GCC unroll 4
  for (std::size_t r = 0; r < R; ++r) {
    const auto line = offset_bytes + distance_bytes + static_cast<std::int64_t>(r) * line_bytes;
    _mm_prefetch(reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(w) + static_cast<std::uintptr_t>(line)), _MM_HINT_T0);
  }
}

template <class W, std::size_t R, std::size_t X, bool FromMemory>
void dots(const float* x, const typename W::Stored* w, std::int64_t cols, __m256 (&sum)[R * X]) {
  constexpr std::int64_t stored_bytes = sizeof(typename W::Stored);
  constexpr std::int64_t line = line_bytes / stored_bytes;
#pragma GCC unroll 8
  for (__m256& lane : sum) lane = _mm256_setzero_ps();
  std::int64_t k = 0;
  for (; k + line <= cols; k += line) {
    if constexpr (FromMemory) fetch_ahead<R>(w, k * stored_bytes * static_cast<std::int64_t>(R));
#pragma GCC unroll 4
    for (std::int64_t part = 0; part < line; part += lanes) step<W, R, X>(x, w, cols, k + part, sum);
  }
  for (; k + lanes <= cols; k += lanes) step<W, R, X>(x, w, cols, k, sum);
  if (k < cols) tail<W, R, X>(x, w, cols, k, sum);
}

// Writes y[m .. m + X, n .. n + R).
template <class W, std::size_t R, std::size_t X, bool FromMemory = false>
void block(const MatmulRows& slice, std::int64_t m, std::int64_t n, const typename W::Stored* w) {
  __m256 sum[R * X];
  dots<W, R, X, FromMemory>(slice.x + m * slice.w.cols, w, slice.w.cols, sum);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < R; ++r) {
    const std::int64_t row = n + static_cast<std::int64_t>(r);
#pragma GCC unroll 2
    for (std::size_t i = 0; i < X; ++i) {
      const float value = tree(sum[r * X + i]);
      slice.y[(m + static_cast<std::int64_t>(i)) * slice.w.rows + row] = slice.bias == nullptr ? value : value + slice.bias[row];
    }
  }
}

// One x row, as in decoding: the weights stream from memory once and are widened in registers.
template <class W>
void stream(const MatmulRows& slice, std::int64_t m) {
  const auto* w = static_cast<const typename W::Stored*>(slice.w.data);
  std::int64_t n = slice.begin;
  for (; n + 4 <= slice.end; n += 4) block<W, 4, 1, true>(slice, m, n, w + n * slice.w.cols);
  for (; n < slice.end; ++n) block<W, 1, 1, true>(slice, m, n, w + n * slice.w.cols);
}

// Weight rows [n, n + rows), already widened, against every x row.
void multiply_tile(const MatmulRows& slice, std::int64_t n, std::int64_t rows, const float* tile) {
  const std::int64_t cols = slice.w.cols;
  for (std::int64_t m = 0; m < slice.m; m += 2) {
    const bool pair = m + 2 <= slice.m;
    std::int64_t r = 0;
    for (; r + 4 <= rows; r += 4) (pair ? block<F32, 4, 2> : block<F32, 4, 1>)(slice, m, n + r, tile + r * cols);
    for (; r < rows; ++r) (pair ? block<F32, 1, 2> : block<F32, 1, 1>)(slice, m, n + r, tile + r * cols);
  }
}

// Many x rows, as in prefill: a tile of weights is widened once and stays in the first cache while x passes by.
template <class W>
void tiled(const MatmulRows& slice) {
  constexpr std::int64_t tile_bytes = 24 * 1024;
  const std::int64_t cols = slice.w.cols;
  const std::int64_t tile_rows = std::clamp<std::int64_t>(tile_bytes / (cols * 4) / 4 * 4, 4, 64);
  std::vector<float> tile(static_cast<std::size_t>(tile_rows * cols));
  const auto* w = static_cast<const typename W::Stored*>(slice.w.data);
  for (std::int64_t n = slice.begin; n < slice.end; n += tile_rows) {
    const std::int64_t rows = std::min(tile_rows, slice.end - n);
    const auto* first = w + n * cols;
    std::int64_t e = 0;
    for (; e + lanes <= rows * cols; e += lanes) _mm256_storeu_ps(tile.data() + e, W::load(first + e));
    for (; e < rows * cols; ++e) tile[static_cast<std::size_t>(e)] = W::one(first[e]);
    multiply_tile(slice, n, rows, tile.data());
  }
}

template <class W>
void run(const MatmulRows& slice) {
  constexpr std::int64_t rows_worth_a_tile = 3;
  if (slice.m >= rows_worth_a_tile) return tiled<W>(slice);
  for (std::int64_t m = 0; m < slice.m; ++m) stream<W>(slice, m);
}

}  // namespace

void matmul_rows_avx2(const MatmulRows& slice) {
  switch (slice.w.dtype) {
    case DType::f32:
      return run<F32>(slice);
    case DType::bf16:
      return run<Bf16>(slice);
    case DType::f16:
      return run<F16>(slice);
  }
}

}  // namespace redproof::engine
