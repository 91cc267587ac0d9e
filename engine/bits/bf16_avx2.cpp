#include <immintrin.h>

#include "engine/bits/bf16.h"

namespace redproof::engine {

void decode_bf16_avx2(const std::byte* source, std::int64_t count, float* out) {
  const std::int64_t whole = count - count % 8;  // lanes of whole vectors
  // mutate: skip(accumulator_narrowed, loop_bound `whole - 1`, relational `!=`) a row of 2^31 lanes; `whole` is a multiple of 8
  for (std::int64_t i = 0; i < whole; i += 8) {
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + i * 2));
    _mm256_storeu_ps(out + i, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16)));
  }
  decode_bf16_scalar(source + whole * 2, count - whole, out + whole);
}

}  // namespace redproof::engine
