#pragma once
#include <cstdint>
#include <vector>

#include "oracle/nearest.h"
#include "oracle/slow/fixed.h"

namespace redproof::oracle::slow {

// Decode and encode of a format of 16 bits or fewer, from a list of all its values: the list is built by adding steps, and searched
// from its beginning. It shares the declarations of `format.h` and `nearest.h` with the oracle that it checks, and no function.
class SlowCodec {
 public:
  explicit SlowCodec(const FloatFormat& format);

  double decode(std::uint32_t code) const;
  std::uint32_t encode(double value, Overflow overflow, NanSign nan_sign) const;
  std::uint32_t finite_codes() const;  // of one sign

 private:
  std::uint32_t magnitude_code(const Fixed& magnitude) const;  // finite_codes(): overflow
  std::uint32_t overflow_code(Overflow overflow, bool negative) const;

  FloatFormat format_;
  std::vector<Fixed> values_;  // by magnitude code; then the one value that would follow
};

}  // namespace redproof::oracle::slow
