#include "oracle/nearest.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "oracle/slow/slow_codec.h"
#include "tests/catch.h"
#include "tests/oracle/disagreements.h"
#include "tests/oracle/sha256.h"

using namespace redproof::oracle;

namespace {

constexpr std::array<FloatFormat, 4> eight_bit{e4m3fn, e5m2, e4m3fnuz, e5m2fnuz};
constexpr std::array<Overflow, 2> overflows{Overflow::saturate, Overflow::non_saturate};
constexpr std::array<NanSign, 2> nan_signs{NanSign::dropped, NanSign::kept};
constexpr double infinity = std::numeric_limits<double>::infinity();

void compare_all_ways(const FloatFormat& format, const slow::SlowCodec& slow_codec, double value, Disagreements& wrong) {
  for (auto const overflow : overflows) {
    for (auto const nan_sign : nan_signs) {
      if (nan_sign == NanSign::kept && !std::isnan(value)) continue;  // it concerns NaN alone
      wrong.compare_codes(value, nearest(format, value, overflow, nan_sign), slow_codec.encode(value, overflow, nan_sign));
    }
  }
}

// Every midpoint of neighbouring values, the one past the largest value included, and the float32 values on both sides of it.
std::vector<float> midpoints(const FloatFormat& format) {
  std::vector<float> found;
  slow::SlowCodec const codec(format);
  for (std::uint32_t code = 0; code < codec.finite_codes(); ++code) {
    double const low = codec.decode(code);
    double const step = code + 1 < codec.finite_codes() ? codec.decode(code + 1) - low : low - codec.decode(code - 1);
    auto const middle = static_cast<float>(low + step / 2);
    for (float const value : {std::nextafter(middle, 0.0F), middle, std::nextafter(middle, 1e9F)}) {
      found.push_back(value);
      found.push_back(-value);
    }
  }
  return found;
}

std::string digest_of_all_codes(const FloatFormat& source, const FloatFormat& target, Overflow overflow) {
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    bytes.push_back(static_cast<std::uint8_t>(nearest(target, value_of(source, code), overflow)));
  }
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

}  // namespace

TEST_CASE("every bfloat16 and float16 value encodes to each eight-bit format as a linear search does", "[nearest]") {
  for (auto const& format : eight_bit) {
    slow::SlowCodec const slow_codec(format);
    Disagreements wrong;
    for (auto const& source : {bf16, f16}) {
      for (std::uint32_t code = 0; code < 0x10000; ++code) compare_all_ways(format, slow_codec, value_of(source, code), wrong);
    }
    CAPTURE(format.name, wrong.first);
    CHECK(wrong.compared > 2 * 2 * 0x10000);
    CHECK(wrong.count == 0);
  }
}

TEST_CASE("midpoints, their neighbours and random float32 bits encode as a linear search does", "[nearest]") {
  for (auto const& format : eight_bit) {
    slow::SlowCodec const slow_codec(format);
    Disagreements wrong;
    for (float const value : midpoints(format)) compare_all_ways(format, slow_codec, value, wrong);
    CHECK(wrong.compared >= 2 * 6 * 123);
    Bits bits{2};
    for (int i = 0; i < 20'000; ++i) {
      compare_all_ways(format, slow_codec, std::bit_cast<float>(static_cast<std::uint32_t>(bits.next())), wrong);
    }
    CAPTURE(format.name, wrong.first);
    CHECK(wrong.count == 0);
  }
}

TEST_CASE("random values encode to bfloat16 and float16 as a linear search does", "[nearest]") {
  for (auto const& format : {bf16, f16}) {
    slow::SlowCodec const slow_codec(format);
    Disagreements wrong;
    Bits bits{3};
    for (int i = 0; i < 100; ++i) {
      auto const random = static_cast<std::uint32_t>(bits.next());
      compare_all_ways(format, slow_codec, std::bit_cast<float>(random), wrong);
      compare_all_ways(format, slow_codec, std::bit_cast<float>((random & 0xFFFF0000U) | 0x8000U), wrong);
      compare_all_ways(format, slow_codec, value_of(f16, random & 0xFFFFU) * 1.00048828125, wrong);
    }
    CAPTURE(format.name, wrong.first);
    CHECK(wrong.count == 0);
  }
}

TEST_CASE("every code is the nearest to its own value", "[nearest]") {
  for (auto const& format : all_formats()) {
    if (total_bits(format) > 16) continue;
    Disagreements wrong;
    for (std::uint32_t code = 0; code < (1U << total_bits(format)); ++code) {
      if (is_nan(format, code)) continue;
      double const value = value_of(format, code);
      wrong.compare_codes(value, nearest(format, value, Overflow::non_saturate), code);
      wrong.compare(is_exact(format, value) == std::isfinite(value), value, code, is_exact(format, value));
    }
    CAPTURE(format.name, wrong.first);
    CHECK(wrong.compared >= 2 * (256 - 6));
    CHECK(wrong.count == 0);
  }
}

TEST_CASE("a device's conversions of all sixteen-bit values are reproduced", "[nearest]") {
  // SHA-256 of the 65,536 bytes that an NVIDIA H200 gave (CUDA 13.0, __nv_cvt_*_to_fp8), in order of the source's codes.
  struct Row {
    FloatFormat source, target;
    Overflow overflow;
    const char* sha256;
  };
  Row const rows[] = {
      {bf16, e4m3fn, Overflow::saturate, "2f8096b3b00699a86e3e44c61fc0287c5111ab4b4e3d1ad604f6f3a5b3eca0db"},
      {bf16, e4m3fn, Overflow::non_saturate, "a224da3d471c3da01918e151dee5cb5fa3aab327f00edcbb04fac887aed21917"},
      {bf16, e5m2, Overflow::saturate, "69d1394f72425f9b4be7e18c947e02d52e9ca5feb64c8bf06254e46dead83e4f"},
      {bf16, e5m2, Overflow::non_saturate, "6d534357dd431685d08604be63558329a9822b5638d14295ff830f23a2e470de"},
      {f16, e4m3fn, Overflow::saturate, "0212e2599adcd3301d3bad890a053b8b41e514049b9988db67e77c2e21e464ce"},
      {f16, e4m3fn, Overflow::non_saturate, "5d4bdaf68dbccf7682cadb3430fa10325455a6a8a7ff1c242a305301cd42505d"},
      {f16, e5m2, Overflow::saturate, "8bcb4600760a2748c889519713dbb8faf667bed3eb46461716dee1dca44f2482"},
      {f16, e5m2, Overflow::non_saturate, "1bdd0b5b14acf2c1f8d9c587174c30f4c3bf1ae4d13bd24e03e34b1c023800f8"},
  };
  for (auto const& row : rows) {
    CAPTURE(row.source.name, row.target.name, row.overflow == Overflow::saturate);
    CHECK(digest_of_all_codes(row.source, row.target, row.overflow) == row.sha256);
  }
}

TEST_CASE("e4m3fn saturates above 464, which is a tie and goes to 448", "[nearest]") {
  CHECK(nearest(e4m3fn, 464, Overflow::non_saturate) == 0x7E);
  CHECK(nearest(e4m3fn, std::nextafter(464.0, 1e9), Overflow::non_saturate) == 0x7F);
  CHECK(nearest(e4m3fn, std::nextafter(464.0, 1e9), Overflow::saturate) == 0x7E);
  CHECK(nearest(e4m3fn, -infinity, Overflow::saturate) == 0xFE);
  CHECK(nearest(e4m3fn, -infinity, Overflow::non_saturate) == 0xFF);
  CHECK(nearest(e5m2, 61440, Overflow::non_saturate) == 0x7C);
  CHECK(nearest(e5m2, std::nextafter(61440.0, 0.0), Overflow::non_saturate) == 0x7B);
  CHECK(nearest(e4m3fnuz, 248, Overflow::non_saturate) == 0x80);
  CHECK(nearest(e4m3fnuz, -248, Overflow::saturate) == 0xFF);
}

TEST_CASE("ties go to the even code and zeros keep their sign where there are two", "[nearest]") {
  CHECK(nearest(e4m3fn, 1.0625, Overflow::saturate) == 0x38);
  CHECK(nearest(e4m3fn, 1.1875, Overflow::saturate) == 0x3A);
  CHECK(nearest(e4m3fn, 17, Overflow::saturate) == 0x58);
  CHECK(nearest(e4m3fn, 19, Overflow::saturate) == 0x5A);
  CHECK(nearest(e4m3fn, 0x1p-10, Overflow::saturate) == 0x00);
  CHECK(nearest(e4m3fn, -0x1p-10, Overflow::saturate) == 0x80);
  CHECK(nearest(e4m3fn, std::nextafter(0x1p-10, 1.0), Overflow::saturate) == 0x01);
  CHECK(nearest(e4m3fn, 0x1.8p-9, Overflow::saturate) == 0x02);
  CHECK(nearest(e4m3fn, -0.0, Overflow::saturate) == 0x80);
  CHECK(nearest(e4m3fnuz, -0.0, Overflow::saturate) == 0x00);
  CHECK(nearest(e4m3fnuz, -0x1p-12, Overflow::saturate) == 0x00);
  CHECK(nearest(e4m3fn, std::nan(""), Overflow::saturate) == 0x7F);
  CHECK(nearest(e4m3fn, -std::nan(""), Overflow::saturate) == 0x7F);
  CHECK(nearest(e4m3fn, -std::nan(""), Overflow::saturate, NanSign::kept) == 0xFF);
}

TEST_CASE("a value between two doubles next to a tie is not mistaken for the tie", "[nearest]") {
  CHECK(nearest(e4m3fn, std::nextafter(1.0625, 2.0), Overflow::saturate) == 0x39);
  CHECK(nearest(e4m3fn, std::nextafter(1.1875, 0.0), Overflow::saturate) == 0x39);
  CHECK(nearest(e4m3fn, std::numeric_limits<double>::denorm_min(), Overflow::saturate) == 0x00);
  CHECK(nearest(e4m3fn, std::numeric_limits<double>::max(), Overflow::saturate) == 0x7E);
  CHECK(nearest(f32, 0x1p-150, Overflow::saturate) == 0);
  CHECK(nearest(f32, std::nextafter(0x1p-150, 1.0), Overflow::saturate) == 1);
}

TEST_CASE("exactly the midpoints are ties", "[nearest]") {
  for (auto const& format : eight_bit) {
    std::uint64_t ties = 0;
    std::uint64_t others = 0;
    for (float const value : midpoints(format)) (is_tie(format, value) ? ties : others) += 1;
    slow::SlowCodec const codec(format);
    CAPTURE(format.name);
    CHECK(ties == 2 * codec.finite_codes());
    CHECK(others == 4 * codec.finite_codes());
  }
  CHECK(is_tie(e4m3fn, 464));
  CHECK_FALSE(is_tie(e4m3fn, 496));  // half way between two values that the format does not have
  CHECK_FALSE(is_tie(e4m3fn, infinity));
  CHECK_FALSE(is_tie(e4m3fn, 0));
}

TEST_CASE("the largest rounding error at a value is half its step, attained at ties", "[nearest]") {
  for (float const value : midpoints(e4m3fn)) {
    if (!is_tie(e4m3fn, value)) continue;
    double const rounded = value_of(e4m3fn, nearest(e4m3fn, value, Overflow::saturate));
    CHECK(std::abs(rounded - value) == half_step(e4m3fn, value));
  }
  CHECK(half_step(e4m3fn, 0.0) == 0x1p-10);
  CHECK(half_step(e4m3fn, 448.0) == 16.0);
}

TEST_CASE("rounding classes follow the value that comes out", "[nearest]") {
  CHECK(rounding_of(e4m3fn, 0x1p-10) == Rounding::underflows);
  CHECK(rounding_of(e4m3fn, -0.0) == Rounding::zero);
  CHECK(rounding_of(e4m3fn, 0x1p-9) == Rounding::subnormal);
  CHECK(rounding_of(e4m3fn, 0x1.Ep-7) == Rounding::normal);  // a tie that rounds up to 2^-6
  CHECK(rounding_of(e4m3fn, 0x1.Dp-7) == Rounding::subnormal);
  CHECK(rounding_of(e4m3fn, -464) == Rounding::normal);
  CHECK(rounding_of(e4m3fn, 465) == Rounding::overflows);
  CHECK(rounding_of(e4m3fn, -infinity) == Rounding::infinite);
  CHECK(rounding_of(e4m3fn, std::nan("")) == Rounding::nan);
}
