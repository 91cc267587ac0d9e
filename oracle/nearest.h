#pragma once
#include <cstdint>

#include "oracle/format.h"

namespace redproof::oracle {

enum class Overflow : std::uint8_t {
  saturate,     // to the largest finite value, infinities too
  non_saturate  // to infinity, or to NaN (with the value's sign, where NaN has one) in a format without infinity
};
enum class NanSign : std::uint8_t { dropped, kept };

// The code nearest to the exact value, ties to the even code. NaN gives nan_code(format). Zeros keep their sign where the format has
// two. Exact for every double, so for every float32, bfloat16 and float16 value.
std::uint32_t nearest(const FloatFormat& format, double value, Overflow overflow, NanSign nan_sign = NanSign::dropped);

// What rounding does to a value; populations count by it.
enum class Rounding : std::uint8_t { nan, infinite, zero, underflows, subnormal, normal, overflows };
Rounding rounding_of(const FloatFormat& format, double value);

// Exactly half way between two neighbouring values. The value that would follow the largest finite one is a neighbour too: 464 is a tie
// of e4m3fn.
bool is_tie(const FloatFormat& format, double value);
bool is_exact(const FloatFormat& format, double value);  // finite, and rounding changes nothing

// Half the distance between neighbouring values around a finite value: the largest error that rounding may make there.
double half_step(const FloatFormat& format, double value);

}  // namespace redproof::oracle
