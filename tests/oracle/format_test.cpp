#include "oracle/format.h"

#include <bit>
#include <cmath>
#include <stdexcept>

#include "oracle/slow/slow_codec.h"
#include "tests/catch.h"
#include "tests/oracle/disagreements.h"

using namespace redproof::oracle;

namespace {

bool same_value(double left, double right) {
  if (std::isnan(left) || std::isnan(right)) return std::isnan(left) && std::isnan(right);
  return left == right && std::signbit(left) == std::signbit(right);
}

}  // namespace

TEST_CASE("the constants of the eight-bit formats are those of their definitions", "[format]") {
  struct Row {
    FloatFormat format;
    std::uint32_t max_code;
    double max_finite;
    double min_normal;
    double min_subnormal;
    std::uint32_t nan;
  };
  Row const rows[] = {
      {e4m3fn, 0x7E, 448, 0x1p-6, 0x1p-9, 0x7F},
      {e4m3fnuz, 0x7F, 240, 0x1p-7, 0x1p-10, 0x80},
      {e5m2, 0x7B, 57344, 0x1p-14, 0x1p-16, 0x7F},
      {e5m2fnuz, 0x7F, 57344, 0x1p-15, 0x1p-17, 0x80},
      {f16, 0x7BFF, 65504, 0x1p-14, 0x1p-24, 0x7FFF},
      {bf16, 0x7F7F, 0x1.FEp127, 0x1p-126, 0x1p-133, 0x7FFF},
      {f32, 0x7F7FFFFF, 0x1.FFFFFEp127, 0x1p-126, 0x1p-149, 0x7FFFFFFF},
  };
  for (auto const& row : rows) {
    CAPTURE(row.format.name);
    CHECK(max_finite_code(row.format) == row.max_code);
    CHECK(value_of(row.format, row.max_code) == row.max_finite);
    CHECK(value_of(row.format, 1U << row.format.mantissa_bits) == row.min_normal);
    CHECK(std::ldexp(1.0, min_normal_exponent(row.format)) == row.min_normal);
    CHECK(value_of(row.format, 1) == row.min_subnormal);
    CHECK(nan_code(row.format) == row.nan);
    CHECK(is_nan(row.format, row.nan));
  }
  CHECK(std::size(rows) == all_formats().size());
}

TEST_CASE("every code of every format up to sixteen bits decodes as counting up its values does", "[format]") {
  for (auto const& format : all_formats()) {
    if (total_bits(format) > 16) continue;
    slow::SlowCodec const counted(format);
    Disagreements wrong;
    for (std::uint32_t code = 0; code < (1U << total_bits(format)); ++code) {
      double const value = value_of(format, code);
      wrong.compare(same_value(value, counted.decode(code)), code, value, counted.decode(code));
      wrong.compare(is_nan(format, code) == std::isnan(value), code, value, is_nan(format, code));
      wrong.compare(is_infinite(format, code) == std::isinf(value), code, value, is_infinite(format, code));
    }
    CAPTURE(format.name, wrong.first);
    CHECK(wrong.compared == std::uint64_t{3} << total_bits(format));
    CHECK(wrong.count == 0);
  }
}

TEST_CASE("float32 codes decode as the machine reads them", "[format]") {
  Bits bits{1};
  Disagreements wrong;
  for (int i = 0; i < 1'000'000; ++i) {
    auto const code = static_cast<std::uint32_t>(bits.next());
    double const machine = std::bit_cast<float>(code);
    wrong.compare(same_value(value_of(f32, code), machine), code, value_of(f32, code), machine);
  }
  CAPTURE(wrong.first);
  CHECK(wrong.count == 0);
}

TEST_CASE("each format has the zeros, infinities and NaN codes that its definition gives it", "[format]") {
  struct Row {
    FloatFormat format;
    int zeros, infinities, nans, subnormals;
  };
  Row const rows[] = {{e4m3fn, 2, 0, 2, 14}, {e5m2, 2, 2, 6, 6}, {e4m3fnuz, 1, 0, 1, 14}, {e5m2fnuz, 1, 0, 1, 6}};
  for (auto const& row : rows) {
    int zeros = 0, infinities = 0, nans = 0, subnormals = 0;
    for (std::uint32_t code = 0; code < 256; ++code) {
      zeros += value_of(row.format, code) == 0.0;
      infinities += is_infinite(row.format, code);
      nans += is_nan(row.format, code);
      subnormals += is_subnormal(row.format, code) && !is_nan(row.format, code);
    }
    CAPTURE(row.format.name);
    CHECK(zeros == row.zeros);
    CHECK(infinities == row.infinities);
    CHECK(nans == row.nans);
    CHECK(subnormals == row.subnormals);
    CHECK(has_signed_zero(row.format) == (row.zeros == 2));
  }
}

TEST_CASE("a code that is wider than its format is refused", "[format]") {
  CHECK_THROWS_AS(value_of(e4m3fn, 0x100), std::out_of_range);
  CHECK_THROWS_AS(is_nan(f16, 0x10000), std::out_of_range);
  CHECK_NOTHROW(value_of(f32, 0xFFFFFFFF));
}
