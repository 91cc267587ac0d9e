// A third opinion on the oracle: CUDA's own header on the host, at every bfloat16 and float16 value, and one float32 step around each
// boundary between two codes. NaN payloads aside, which both drop, the bytes are equal.
#include "properties/subjects/cuda/cuda_header.h"

#include <cmath>
#include <vector>

#include "oracle/nearest.h"
#include "oracle/stored_byte.h"
#include "tests/catch.h"

using namespace redproof;

namespace {

struct Conversion {
  const oracle::FloatFormat& format;
  std::uint8_t (*subject)(float, bool);
};

const Conversion conversions[] = {{oracle::e4m3fn, properties::cuda_header_e4m3}, {oracle::e5m2, properties::cuda_header_e5m2}};

std::vector<float> sixteen_bit_values() {
  std::vector<float> values;
  for (std::uint32_t code = 0; code < 1U << 16; ++code) {
    values.push_back(oracle::f32_from_bf16(static_cast<std::uint16_t>(code)));
    values.push_back(oracle::f32_from_f16(static_cast<std::uint16_t>(code)));
  }
  return values;
}

// The midpoints between neighbouring finite values, and the next float32 on each side.
std::vector<float> boundaries(const oracle::FloatFormat& format) {
  std::vector<float> values;
  for (std::uint32_t code = 0; code <= oracle::max_finite_code(format); ++code) {
    double const low = oracle::value_of(format, code);
    double const step = 2.0 * oracle::half_step(format, low);
    auto const midpoint = static_cast<float>(low + step / 2.0);
    for (float const value : {midpoint, std::nextafterf(midpoint, 0.0F), std::nextafterf(midpoint, INFINITY)}) {
      values.push_back(value);
      values.push_back(-value);
    }
  }
  return values;
}

std::size_t differing(const Conversion& conversion, const std::vector<float>& values, bool saturate) {
  auto const overflow = saturate ? oracle::Overflow::saturate : oracle::Overflow::non_saturate;
  std::size_t differ = 0;
  for (float const value : values) {
    auto const truth = oracle::nearest(conversion.format, static_cast<double>(value), overflow);
    differ += conversion.subject(value, saturate) == truth ? 0 : 1;
  }
  return differ;
}

}  // namespace

TEST_CASE("CUDA's header agrees with the oracle on every bfloat16 and float16 value") {
  auto const values = sixteen_bit_values();
  for (auto const& conversion : conversions) {
    CHECK(differing(conversion, values, true) == 0);
    CHECK(differing(conversion, values, false) == 0);
  }
}

TEST_CASE("CUDA's header agrees with the oracle around every boundary between two codes") {
  for (auto const& conversion : conversions) {
    auto const values = boundaries(conversion.format);
    CHECK(values.size() > 700);
    CHECK(differing(conversion, values, true) == 0);
    CHECK(differing(conversion, values, false) == 0);
  }
}
