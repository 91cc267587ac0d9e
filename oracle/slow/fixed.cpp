#include "oracle/slow/fixed.h"

#include <cmath>
#include <stdexcept>

namespace redproof::oracle::slow {
namespace {

constexpr int unit_exponent = -192;

}  // namespace

// Takes the value apart from the top, one power of two at a time.
Fixed::Fixed(double value) {
  if (!(value >= 0) || std::isinf(value)) throw std::domain_error("Fixed: not a number >= 0");
  for (int bit = 511; bit >= 0; --bit) {
    double const power = std::ldexp(1.0, bit + unit_exponent);
    if (value < power) continue;
    value -= power;
    limbs_[static_cast<std::size_t>(bit / 32)] |= 1U << (bit % 32);
  }
  if (value != 0) throw std::domain_error("Fixed: outside 2^-192 .. 2^320");
}

Fixed& Fixed::operator+=(const Fixed& other) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    carry += std::uint64_t{limbs_[i]} + other.limbs_[i];
    limbs_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) throw std::domain_error("Fixed: sum too large");
  return *this;
}

std::strong_ordering operator<=>(const Fixed& left, const Fixed& right) {
  for (std::size_t i = left.limbs_.size(); i-- > 0;) {
    if (auto const order = left.limbs_[i] <=> right.limbs_[i]; order != 0) return order;
  }
  return std::strong_ordering::equal;
}

double Fixed::to_double() const {
  double sum = 0;
  for (int bit = 511; bit >= 0; --bit) {
    if ((limbs_[static_cast<std::size_t>(bit / 32)] >> (bit % 32)) & 1U) sum += std::ldexp(1.0, bit + unit_exponent);
  }
  return sum;
}

}  // namespace redproof::oracle::slow
