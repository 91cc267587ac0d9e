#pragma once
#include <array>
#include <compare>
#include <cstdint>

namespace redproof::oracle::slow {

// A number >= 0 as a whole count of 2^-192, in 512 bits: room for every float32 value, its half steps, and sums of a few of them.
class Fixed {
 public:
  Fixed() = default;
  explicit Fixed(double value);  // std::domain_error where it is negative, no number, or no whole count

  Fixed& operator+=(const Fixed& other);
  friend Fixed operator+(Fixed left, const Fixed& right) { return left += right; }
  friend std::strong_ordering operator<=>(const Fixed& left, const Fixed& right);
  friend bool operator==(const Fixed& left, const Fixed& right) = default;

  double to_double() const;  // of a number that a double holds

 private:
  std::array<std::uint32_t, 16> limbs_{};  // lowest first
};

}  // namespace redproof::oracle::slow
