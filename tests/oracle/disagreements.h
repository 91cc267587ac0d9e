#pragma once
#include <cstdint>
#include <string>

namespace redproof::oracle {

// Counts comparisons and keeps the first one that fails, so that a sweep of millions is one assertion.
struct Disagreements {
  std::uint64_t compared = 0;
  std::uint64_t count = 0;
  std::string first;

  void compare(bool agrees, double input, double left, double right) {
    ++compared;
    if (agrees) return;
    if (count++ == 0) first = "input " + std::to_string(input) + ": " + std::to_string(left) + " and " + std::to_string(right);
  }
  void compare_codes(double input, std::uint32_t left, std::uint32_t right) { compare(left == right, input, left, right); }
};

// Fixed sequence of 64-bit numbers (splitmix64).
struct Bits {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
};

}  // namespace redproof::oracle
