#include "oracle/stored_byte.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "oracle/nearest.h"
#include "oracle/slow/slow_codec.h"
#include "oracle/slow/slow_quotient.h"
#include "tests/catch.h"
#include "tests/oracle/disagreements.h"

using namespace redproof::oracle;

namespace {

bool same_bits(float left, float right) {
  return std::bit_cast<std::uint32_t>(left) == std::bit_cast<std::uint32_t>(right) || (std::isnan(left) && std::isnan(right));
}

float random_float(Bits& bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits.next())); }

// A scale of ordinary size, 2^-8 .. 2^8.
float random_scale(Bits& bits) {
  auto const random = bits.next();
  return std::ldexp(1.0F + static_cast<float>(random & 0x7FFFFF) * 0x1p-23F, static_cast<int>(random >> 40) % 16 - 8);
}

}  // namespace

TEST_CASE("the integer quotient is the nearest float32, by bisection and by the machine's own division", "[stored_byte]") {
  Bits bits{5};
  Disagreements slow_wrong;
  Disagreements machine_wrong;
  for (int i = 0; i < 300'000; ++i) {
    float const x = random_float(bits);
    float const scale = i % 2 == 0 ? std::abs(random_float(bits)) : random_scale(bits);
    float const quotient = quotient_f32(x, scale);
    volatile float const machine = x / scale;
    machine_wrong.compare(same_bits(quotient, machine), x, quotient, machine);
    if (!std::isfinite(x) || !std::isfinite(scale) || scale == 0.0F || i % 10 != 0) continue;
    slow_wrong.compare(same_bits(quotient, slow::slow_quotient(x, scale)), x, quotient, slow::slow_quotient(x, scale));
  }
  CAPTURE(slow_wrong.first, machine_wrong.first);
  CHECK(machine_wrong.compared == 300'000);
  CHECK(machine_wrong.count == 0);
  CHECK(slow_wrong.compared > 25'000);
  CHECK(slow_wrong.count == 0);
}

TEST_CASE("quotients of subnormal operands and subnormal quotients are nearest", "[stored_byte]") {
  Bits bits{6};
  Disagreements wrong;
  std::uint64_t subnormal_results = 0;
  for (int i = 0; i < 20'000; ++i) {
    auto const random = bits.next();
    float const small = std::bit_cast<float>(static_cast<std::uint32_t>(random & 0x00FFFFFF));  // subnormals and the first binade
    float const scale = i % 2 == 0 ? random_scale(bits) : std::bit_cast<float>(static_cast<std::uint32_t>(random >> 40 | 1U));
    float const quotient = quotient_f32(small, scale);
    subnormal_results += quotient != 0.0F && quotient < std::numeric_limits<float>::min();
    wrong.compare(same_bits(quotient, slow::slow_quotient(small, scale)), small, quotient, slow::slow_quotient(small, scale));
  }
  CAPTURE(wrong.first);
  CHECK(subnormal_results > 4'000);
  CHECK(wrong.count == 0);
}

TEST_CASE("quotients of zeros, infinities and NaN are IEEE's", "[stored_byte]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  CHECK(quotient_f32(1.0F, 0.0F) == infinity);
  CHECK(quotient_f32(-1.0F, 0.0F) == -infinity);
  CHECK(quotient_f32(1.0F, -0.0F) == -infinity);
  CHECK(quotient_f32(-infinity, 2.0F) == -infinity);
  CHECK(std::isnan(quotient_f32(0.0F, 0.0F)));
  CHECK(std::isnan(quotient_f32(infinity, infinity)));
  CHECK(std::isnan(quotient_f32(std::nanf(""), 1.0F)));
  CHECK(same_bits(quotient_f32(-0.0F, 2.0F), -0.0F));
  CHECK(same_bits(quotient_f32(-3.0F, infinity), -0.0F));
  CHECK(quotient_f32(0x1p127F, 0x1p-1F) == infinity);
}

TEST_CASE("every bfloat16 code is stored as bisection and linear search store it", "[stored_byte]") {
  slow::SlowCodec const codec(e4m3fn);
  for (float const scale : {1.0F, 0.25F, 0.06F, 0.35F, 1.0F / 3.0F}) {
    Disagreements wrong;
    for (std::uint32_t code = 0; code < 0x10000; ++code) {
      float const x = f32_from_bf16(static_cast<std::uint16_t>(code));
      float const quotient = std::isfinite(x) ? slow::slow_quotient(x, scale) : x;
      wrong.compare_codes(code, stored_byte(static_cast<std::uint16_t>(code), scale),
                          codec.encode(quotient, Overflow::saturate, NanSign::dropped));
    }
    CAPTURE(scale, wrong.first);
    CHECK(wrong.compared == 0x10000);
    CHECK(wrong.count == 0);
  }
}

TEST_CASE("multiplying by the reciprocal stores different bytes at some scales and the same at others", "[stored_byte]") {
  auto const differing = [](float scale) {
    int count = 0;
    for (std::uint32_t code = 0; code < 0x10000; ++code) {
      volatile float const reciprocal = 1.0F / scale;
      float const product = f32_from_bf16(static_cast<std::uint16_t>(code)) * reciprocal;
      count += stored_byte(static_cast<std::uint16_t>(code), scale) != nearest(e4m3fn, product, Overflow::saturate);
    }
    return count;
  };
  CHECK(differing(0.06F) == 30);  // 15 a sign
  CHECK(differing(0.3F) == 2);
  CHECK(differing(0.35F) == 0);
  CHECK(differing(0.5F) == 0);
}

TEST_CASE("a stored code reads back as one float32 multiplication gives it", "[stored_byte]") {
  Bits bits{7};
  Disagreements wrong;
  for (int i = 0; i < 20'000; ++i) {
    float const scale = i % 4 == 0 ? std::abs(random_float(bits)) : random_scale(bits);
    if (!std::isfinite(scale)) continue;
    auto const code = static_cast<std::uint8_t>(bits.next());
    volatile float const machine = static_cast<float>(value_of(e4m3fn, code)) * scale;
    double const value = read_value(code, scale);
    wrong.compare(value == machine || (std::isnan(value) && is_nan(e4m3fn, code)), code, value, machine);
    bool const near = std::abs(read_value_exact(code, scale) - value) <= half_step(f32, value) || !std::isfinite(value);
    wrong.compare(near, code, value, read_value_exact(code, scale));
  }
  CAPTURE(wrong.first);
  CHECK(wrong.compared > 35'000);
  CHECK(wrong.count == 0);
  CHECK(std::isnan(read_value(0x7F, 1.0F)));
  CHECK(read_value(0x7E, 0.5F) == 224.0);
}

TEST_CASE("bfloat16 comes from float32 by nearest even, and NaN stays a quiet NaN with its sign", "[stored_byte]") {
  slow::SlowCodec const codec(bf16);
  Bits bits{8};
  Disagreements wrong;
  for (int i = 0; i < 200; ++i) {
    auto const random = static_cast<std::uint32_t>(bits.next());
    for (std::uint32_t const pattern : {random, (random & 0xFFFF0000U) | 0x8000U, (random & 0xFFFF0000U) | 0x8001U}) {
      float const value = std::bit_cast<float>(pattern);
      if (std::isnan(value)) continue;
      wrong.compare_codes(value, bf16_from_f32(value), codec.encode(value, Overflow::non_saturate, NanSign::kept));
    }
  }
  CAPTURE(wrong.first);
  CHECK(wrong.count == 0);
  CHECK(bf16_from_f32(std::bit_cast<float>(0x7F800001U)) == 0x7FC0);
  CHECK(bf16_from_f32(std::bit_cast<float>(0xFFABCDEFU)) == 0xFFEB);
  CHECK(bf16_from_f32(std::numeric_limits<float>::max()) == 0x7F80);
}

TEST_CASE("float16 codes become the nearest bfloat16", "[stored_byte]") {
  Disagreements wrong;
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    auto const bits = static_cast<std::uint16_t>(code);
    double const value = value_of(f16, code);
    std::uint16_t const converted = bf16_from_f16(bits);
    bool const near = std::abs(f32_from_bf16(converted) - value) <= half_step(bf16, value);
    bool const same_kind = std::isfinite(value) ? near : is_nan(bf16, converted) == std::isnan(value);
    wrong.compare(same_kind && ((converted ^ bits) & 0x8000) == 0, code, value, f32_from_bf16(converted));
    wrong.compare(std::isnan(value) || f32_from_f16(bits) == value, code, value, f32_from_f16(bits));
  }
  CAPTURE(wrong.first);
  CHECK(wrong.compared == 2 * 0x10000);
  CHECK(wrong.count == 0);
}
