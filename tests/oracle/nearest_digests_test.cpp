#include <algorithm>
#include <bit>
#include <cstring>
#include <future>
#include <span>
#include <vector>

#include "oracle/nearest.h"
#include "tests/catch.h"
#include "tests/oracle/disagreements.h"
#include "tests/oracle/sha256.h"

using namespace redproof::oracle;

namespace {

// Float32 bit patterns begin .. begin of the next run - 1 all convert to `byte`.
struct Run {
  std::uint64_t begin;
  std::uint8_t byte;
};

struct Conversion {
  const char* name;
  FloatFormat format;
  Overflow overflow;
  NanSign nan_sign;
  const char* sha256;  // of 2^32 bytes: the conversions of all float32 bit patterns, ascending
};

// Measured on an NVIDIA H200 (CUDA 13.0) and with PyTorch 2.11 on CPU and CUDA, which agree.
constexpr Conversion conversions[] = {
    {"e4m3fn, saturating, H200", e4m3fn, Overflow::saturate, NanSign::dropped,
     "9d7653f5afbe9034906208b15d2b1e9e21a762aeee82e64f569003902ccfb150"},
    {"e4m3fn, not saturating, H200", e4m3fn, Overflow::non_saturate, NanSign::dropped,
     "6497bc19b8fa5dd63da08ad2367d0de848b0dec8162df4e12c681d5d5538a84c"},
    {"e4m3fn, not saturating, PyTorch", e4m3fn, Overflow::non_saturate, NanSign::kept,
     "f0ca981b8f7d111cd2446d1e844d3f8b34a493306d041ae9a1a29b0436866691"},
    {"e5m2, saturating, H200", e5m2, Overflow::saturate, NanSign::dropped,
     "4559d42906bb7b7f1348be07981abb3c3e206a7a2b4d8f7b29f450a2aafbb8fd"},
    {"e5m2, not saturating, H200", e5m2, Overflow::non_saturate, NanSign::dropped,
     "90cf5f0c927c22f532215b823afade32c59112ec7c80de2f5169efa46b5237af"},
    {"e5m2, not saturating, PyTorch", e5m2, Overflow::non_saturate, NanSign::kept,
     "979834627e5806152dbc4f83ce85be1faf9c94583cac7ea54c4e2ee39c282c55"},
    {"e4m3fnuz, PyTorch", e4m3fnuz, Overflow::non_saturate, NanSign::dropped,
     "eb522af6066c1d946ca612c5eec6936cd33cd795c8ca4e23ed4db77ccb7a786e"},
    {"e5m2fnuz, PyTorch", e5m2fnuz, Overflow::non_saturate, NanSign::dropped,
     "ef14d4cee326fb157e81cd8e5af78fa7f296bfeea329d12eb09f4817e5663a07"},
};

std::uint8_t convert(const Conversion& conversion, std::uint64_t bits) {
  auto const value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return static_cast<std::uint8_t>(nearest(conversion.format, value, conversion.overflow, conversion.nan_sign));
}

// A correctly rounded converter is monotone in the magnitude, so within one sign a byte that recurs recurs without a gap.
std::vector<Run> runs_of(const Conversion& conversion) {
  std::vector<Run> runs;
  for (std::uint64_t begin = 0; begin < std::uint64_t{1} << 32;) {
    std::uint64_t const sign = begin & 0x80000000U;
    std::uint64_t const first_nan = sign + 0x7F800001U;
    std::uint64_t const limit = begin < first_nan ? first_nan : sign + 0x80000000U;
    std::uint8_t const byte = convert(conversion, begin);
    std::uint64_t low = begin;
    std::uint64_t high = limit;
    while (high - low > 1) {
      std::uint64_t const middle = low + (high - low) / 2;
      (convert(conversion, middle) == byte ? low : high) = middle;
    }
    runs.push_back({begin, byte});
    begin = high;
  }
  return runs;
}

std::string digest_of(std::span<const Run> runs) {
  Sha256 hash;
  std::vector<std::uint8_t> piece(std::size_t{1} << 18);
  std::size_t filled = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::uint64_t left = (i + 1 < runs.size() ? runs[i + 1].begin : std::uint64_t{1} << 32) - runs[i].begin;
    while (left > 0) {
      std::size_t const count = std::min<std::uint64_t>(left, piece.size() - filled);
      std::memset(piece.data() + filled, runs[i].byte, count);
      filled += count;
      left -= count;
      if (filled < piece.size()) continue;
      hash.update(piece);
      filled = 0;
    }
  }
  hash.update(std::span(piece).first(filled));
  return hash.hex();
}

std::vector<std::string> digests_of_every_second(std::size_t first) {
  std::vector<std::string> digests;
  for (std::size_t i = first; i < std::size(conversions); i += 2) digests.push_back(digest_of(runs_of(conversions[i])));
  return digests;
}

}  // namespace

TEST_CASE("runs found by bisection hold what the oracle says inside them", "[nearest][digests]") {
  for (auto const& conversion : conversions) {
    auto const runs = runs_of(conversion);
    Disagreements wrong;
    Bits bits{4};
    for (int i = 0; i < 250'000; ++i) {
      std::uint64_t const pattern = bits.next() >> 32;
      auto const after =
          std::upper_bound(runs.begin(), runs.end(), pattern, [](std::uint64_t at, const Run& run) { return at < run.begin; });
      wrong.compare_codes(static_cast<double>(pattern), std::prev(after)->byte, convert(conversion, pattern));
    }
    CAPTURE(conversion.name, wrong.first);
    CHECK(runs.size() > 240);
    CHECK(runs.size() <= 2 * (128 + 2));  // codes of a sign, overflow, NaN
    CHECK(wrong.count == 0);
  }
}

TEST_CASE("the digests of all float32 conversions by devices and by PyTorch are reproduced", "[nearest][digests]") {
  auto odd = std::async(std::launch::async, digests_of_every_second, 1);
  auto const even = digests_of_every_second(0);
  auto const odd_digests = odd.get();
  for (std::size_t i = 0; i < std::size(conversions); ++i) {
    CAPTURE(conversions[i].name);
    CHECK((i % 2 == 0 ? even : odd_digests)[i / 2] == conversions[i].sha256);
  }
}
