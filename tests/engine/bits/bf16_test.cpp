#include "engine/bits/bf16.h"

#include <bit>
#include <cmath>
#include <vector>

#include "engine/bits/isa.h"
#include "tests/catch.h"

using namespace redproof::engine;

namespace {

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// The nearer of the two bfloat16 neighbours of x, by distance in double precision; ties to the even code; x is finite.
std::uint16_t nearest_bf16(float x) {
  const auto below = static_cast<std::uint16_t>(bits_of(x) >> 16);  // towards zero
  const auto above = static_cast<std::uint16_t>(below + 1);
  const double low = std::fabs(static_cast<double>(bf16_to_f32(below)));
  // Past the largest finite value the next one would be 2^128, though its code means infinity.
  const double high = (above & 0x7FFF) == 0x7F80 ? 0x1p128 : std::fabs(static_cast<double>(bf16_to_f32(above)));
  const double magnitude = std::fabs(static_cast<double>(x));
  if (magnitude - low != high - magnitude) return magnitude - low < high - magnitude ? below : above;
  return below % 2 == 0 ? below : above;
}

}  // namespace

TEST_CASE("bfloat16 widens exactly and comes back unchanged for all codes that are no NaN", "[bf16]") {
  std::int64_t wrong = 0;
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const float value = bf16_to_f32(static_cast<std::uint16_t>(code));
    wrong += bits_of(value) != code << 16;
    if (!std::isnan(value)) wrong += f32_to_bf16(value) != code;
  }
  CHECK(wrong == 0);
}

TEST_CASE("float32 rounds to the nearest bfloat16, ties to even, around every code", "[bf16]") {
  std::int64_t wrong = 0;
  for (std::uint32_t code = 0; code < 65536; ++code) {
    for (const std::uint32_t low : {0x0000U, 0x0001U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU}) {
      const float value = float_of(code << 16 | low);
      if (std::isfinite(value)) wrong += f32_to_bf16(value) != nearest_bf16(value);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a NaN stays a quiet NaN of its sign in bfloat16, even where its payload lies in the dropped bits", "[bf16]") {
  CHECK(f32_to_bf16(float_of(0x7F800001)) == 0x7FC0);
  CHECK(f32_to_bf16(float_of(0xFF800001)) == 0xFFC0);
  CHECK(f32_to_bf16(float_of(0xFFFFFFFF)) == 0xFFFF);
  CHECK(f32_to_bf16(INFINITY) == 0x7F80);
  CHECK(f32_to_bf16(-INFINITY) == 0xFF80);
}

TEST_CASE("float16 widens to its value for all codes", "[bf16]") {
  std::int64_t wrong = 0;
  for (int code = 0; code < 65536; ++code) {
    const float value = f16_to_f32(static_cast<std::uint16_t>(code));
    const int exponent = (code >> 10) & 31;
    const int mantissa = code & 1023;
    const double sign = code & 0x8000 ? -1.0 : 1.0;
    wrong += std::signbit(value) != (sign < 0);
    if (exponent == 31 && mantissa != 0) {
      wrong += !std::isnan(value);
    } else if (exponent == 31) {
      wrong += value != sign * INFINITY;
    } else {
      wrong += value != sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("arrays of bfloat16 widen to equal bits in both instruction sets, at any length and alignment", "[bf16]") {
  std::vector<std::byte> bytes(101);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 + 11);
  for (std::int64_t count = 0; count <= 50; ++count) {
    std::vector<float> scalar(51, 5.0F);
    decode_bf16_scalar(bytes.data() + 1, count, scalar.data());
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(1 + 2 * i);
      const std::uint32_t code = static_cast<std::uint32_t>(bytes[at]) | static_cast<std::uint32_t>(bytes[at + 1]) << 8;
      wrong += bits_of(scalar[static_cast<std::size_t>(i)]) != code << 16;
    }
    CHECK(wrong == 0);
    CHECK(scalar[static_cast<std::size_t>(count)] == 5.0F);
    if (!cpu_has_avx2()) continue;
    std::vector<float> vector(51, 5.0F);
    decode_bf16_avx2(bytes.data() + 1, count, vector.data());
    for (std::size_t i = 0; i < scalar.size(); ++i) wrong += bits_of(scalar[i]) != bits_of(vector[i]);
    CHECK(wrong == 0);
  }
}
