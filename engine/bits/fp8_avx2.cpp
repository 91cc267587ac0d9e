#include <immintrin.h>

#include "engine/bits/e4m3.h"
#include "engine/bits/fp8.h"

namespace redproof::engine {
namespace {

__m256i each(std::uint32_t value) { return _mm256_set1_epi32(static_cast<int>(value)); }

// value / 2^shift, to nearest, ties to even, in eight lanes.
__m256i shift_to_nearest_even(__m256i value, __m256i shift) {
  const __m256i odd = _mm256_and_si256(_mm256_srlv_epi32(value, shift), each(1));
  const __m256i below_half = _mm256_sub_epi32(_mm256_sllv_epi32(each(1), _mm256_sub_epi32(shift, each(1))), each(1));
  return _mm256_srlv_epi32(_mm256_add_epi32(_mm256_add_epi32(value, below_half), odd), shift);
}

// Normal lanes are rebiased, subnormal lanes become a significand with their own shift; one rounding serves both.
__m256i round_magnitude(__m256i magnitude) {
  const __m256i subnormal = _mm256_cmpgt_epi32(each(e4m3_min_normal), magnitude);
  const __m256i significand = _mm256_or_si256(_mm256_and_si256(magnitude, each(f32_mantissa_mask)), each(f32_implicit_bit));
  const __m256i exponent = _mm256_srli_epi32(magnitude, f32_mantissa_bits);
  const __m256i denormal_by = _mm256_sub_epi32(each(e4m3_subnormal_shift), exponent);
  // mutate: skip(argument_swapped) the lesser of two, in whatever order
  const __m256i subnormal_shift = _mm256_min_epi32(denormal_by, each(e4m3_zero_shift));
  const __m256i value = _mm256_blendv_epi8(_mm256_sub_epi32(magnitude, each(e4m3_rebias)), significand, subnormal);
  const __m256i shift = _mm256_blendv_epi8(each(e4m3_dropped_bits), subnormal_shift, subnormal);
  const __m256i saturated = _mm256_cmpgt_epi32(magnitude, each(e4m3_overflow_tie));
  return _mm256_blendv_epi8(shift_to_nearest_even(value, shift), each(e4m3_max_code), saturated);
}

// Eight codes in the low eight bytes.
__m128i encode_eight(__m256 value) {
  const __m256i bits = _mm256_castps_si256(value);
  const __m256i magnitude = _mm256_and_si256(bits, each(f32_magnitude_mask));
  const __m256i sign = _mm256_and_si256(_mm256_srli_epi32(bits, 24), each(e4m3_sign_bit));
  const __m256i nan = _mm256_cmpgt_epi32(magnitude, each(f32_infinity));
  const __m256i codes = _mm256_blendv_epi8(_mm256_or_si256(sign, round_magnitude(magnitude)), each(e4m3_nan_code), nan);
  const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(codes), _mm256_extracti128_si256(codes, 1));
  return _mm_packus_epi16(words, words);
}

__m256 widen_bf16(const std::uint16_t* source) {
  const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}

// Every finite code is exact in float16 with seven more mantissa bits and a bias that is 8 larger; F16C widens it without a penalty for
// subnormals, and the product with 2^8 is exact.
__m256 decode_eight(__m128i codes) {
  const __m128i words = _mm_cvtepu8_epi16(codes);
  const __m128i magnitude = _mm_and_si128(words, _mm_set1_epi16(e4m3_nan_code));
  const __m128i sign = _mm_slli_epi16(_mm_and_si128(words, _mm_set1_epi16(e4m3_sign_bit)), 8);
  const __m128i nan = _mm_cmpeq_epi16(magnitude, _mm_set1_epi16(e4m3_nan_code));
  const __m128i any_nan = _mm_set1_epi16(0x7E00);  // mutate: skip(constant `0x7e01`, constant `0x7dff`) NaN too
  const __m128i half = _mm_blendv_epi8(_mm_slli_epi16(magnitude, 7), any_nan, nan);
  // mutate: skip(argument_swapped) bits of two, in whatever order
  return _mm256_mul_ps(_mm256_cvtph_ps(_mm_or_si128(sign, half)), _mm256_set1_ps(256.0F));
}

}  // namespace

void store_e4m3_avx2(const std::uint16_t* source, float scale, std::int64_t count, std::uint8_t* bytes) {
  const __m256 divisor = _mm256_set1_ps(scale);
  const std::int64_t whole = count - count % 8;  // lanes of whole vectors
  // mutate: skip(accumulator_narrowed, loop_bound `whole - 1`, relational `!=`) a row of 2^31 lanes; `whole` is a multiple of 8
  for (std::int64_t i = 0; i < whole; i += 8) {
    const __m256 quotient = _mm256_div_ps(widen_bf16(source + i), divisor);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(bytes + i), encode_eight(quotient));
  }
  store_e4m3_scalar(source + whole, scale, count - whole, bytes + whole);
}

void encode_e4m3_avx2(const float* source, std::int64_t count, std::uint8_t* bytes) {
  const std::int64_t whole = count - count % 8;  // lanes of whole vectors
  // mutate: skip(accumulator_narrowed, loop_bound `whole - 1`, relational `!=`) a row of 2^31 lanes; `whole` is a multiple of 8
  for (std::int64_t i = 0; i < whole; i += 8) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(bytes + i), encode_eight(_mm256_loadu_ps(source + i)));
  }
  encode_e4m3_scalar(source + whole, count - whole, bytes + whole);
}

void decode_e4m3_avx2(const std::uint8_t* bytes, std::int64_t count, float* out) {
  const std::int64_t whole = count - count % 8;  // lanes of whole vectors
  // mutate: skip(accumulator_narrowed, loop_bound `whole - 1`, relational `!=`) a row of 2^31 lanes; `whole` is a multiple of 8
  for (std::int64_t i = 0; i < whole; i += 8) {
    _mm256_storeu_ps(out + i, decode_eight(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes + i))));
  }
  decode_e4m3_scalar(bytes + whole, count - whole, out + whole);
}

}  // namespace redproof::engine
