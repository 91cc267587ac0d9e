#include <immintrin.h>

#include "engine/bits/bf16.h"

namespace redproof::engine {

void decode_bf16_avx2(const std::byte* source, std::int64_t count, float* out) {
  std::int64_t i = 0;               // mutate: skip(accumulator_narrowed) a row of 2^31 lanes
  for (; i + 8 <= count; i += 8) {  // mutate: skip(condition_forced, constant, loop_bound, loop_once, relational) the tail does it
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + i * 2));
    _mm256_storeu_ps(out + i, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16)));
  }
  decode_bf16_scalar(source + i * 2, count - i, out + i);
}

}  // namespace redproof::engine
