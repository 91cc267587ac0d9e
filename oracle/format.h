#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace redproof::oracle {

// Which codes are no numbers.
enum class Specials : std::uint8_t {
  ieee,           // exponent all ones: infinity at mantissa 0, else NaN
  last_is_nan,    // "fn": magnitude all ones is NaN, every other code is finite
  minus_zero_nan  // "fnuz": only sign 1, magnitude 0 is NaN; one zero
};

// A binary format: sign, exponent, mantissa, from the highest bit down. A code is the bit pattern.
struct FloatFormat {
  std::string_view name;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

inline constexpr FloatFormat e4m3fn{"e4m3fn", 4, 3, 7, Specials::last_is_nan};
inline constexpr FloatFormat e5m2{"e5m2", 5, 2, 15, Specials::ieee};
inline constexpr FloatFormat e4m3fnuz{"e4m3fnuz", 4, 3, 8, Specials::minus_zero_nan};
inline constexpr FloatFormat e5m2fnuz{"e5m2fnuz", 5, 2, 16, Specials::minus_zero_nan};
inline constexpr FloatFormat bf16{"bf16", 8, 7, 127, Specials::ieee};
inline constexpr FloatFormat f16{"f16", 5, 10, 15, Specials::ieee};
inline constexpr FloatFormat f32{"f32", 8, 23, 127, Specials::ieee};

std::span<const FloatFormat> all_formats();

int total_bits(const FloatFormat& format);                 // 8, 16 or 32
std::uint32_t sign_mask(const FloatFormat& format);        // the highest bit of a code
std::uint32_t max_finite_code(const FloatFormat& format);  // e4m3fn 0x7E
std::uint32_t nan_code(const FloatFormat& format);         // the NaN an encoder writes: magnitude all ones; fnuz 0x80
int min_normal_exponent(const FloatFormat& format);        // e4m3fn -6: the smallest normal is 2^-6
bool has_signed_zero(const FloatFormat& format);

bool is_nan(const FloatFormat& format, std::uint32_t code);
bool is_infinite(const FloatFormat& format, std::uint32_t code);
bool is_subnormal(const FloatFormat& format, std::uint32_t code);  // zeros are not
double value_of(const FloatFormat& format, std::uint32_t code);    // exact; codes wider than the format throw std::out_of_range

}  // namespace redproof::oracle
