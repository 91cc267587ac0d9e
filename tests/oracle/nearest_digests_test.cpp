#include <algorithm>
#include <bit>
#include <future>
#include <span>
#include <vector>

#include "oracle/nearest.h"
#include "tests/catch.h"
#include "tests/oracle/disagreements.h"
#include "tests/oracle/sha256.h"

using namespace redproof::oracle;

namespace {

constexpr std::uint64_t all_patterns = std::uint64_t{1} << 32;

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
    {"e4m3fnuz, PyTorch", e4m3fnuz, Overflow::non_saturate, NanSign::dropped,
     "eb522af6066c1d946ca612c5eec6936cd33cd795c8ca4e23ed4db77ccb7a786e"},
    {"e5m2, saturating, H200", e5m2, Overflow::saturate, NanSign::dropped,
     "4559d42906bb7b7f1348be07981abb3c3e206a7a2b4d8f7b29f450a2aafbb8fd"},
    {"e5m2, not saturating, H200", e5m2, Overflow::non_saturate, NanSign::dropped,
     "90cf5f0c927c22f532215b823afade32c59112ec7c80de2f5169efa46b5237af"},
    {"e5m2, not saturating, PyTorch", e5m2, Overflow::non_saturate, NanSign::kept,
     "979834627e5806152dbc4f83ce85be1faf9c94583cac7ea54c4e2ee39c282c55"},
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
  for (std::uint64_t begin = 0; begin < all_patterns;) {
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

std::uint64_t end_of(std::span<const Run> runs, std::size_t i) { return i + 1 < runs.size() ? runs[i + 1].begin : all_patterns; }

// The first pattern that two conversions treat differently; both split their runs there.
std::uint64_t divergence(std::span<const Run> left, std::span<const Run> right) {
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (left[i].byte != right[i].byte) return left[i].begin;
    if (end_of(left, i) != end_of(right, i)) return std::min(end_of(left, i), end_of(right, i));
  }
  return all_patterns;
}

void update(Sha256& hash, std::uint8_t byte, std::uint64_t count) {
  std::vector<std::uint8_t> const piece(std::min<std::uint64_t>(count, 1U << 17), byte);
  for (; count >= piece.size() && count > 0; count -= piece.size()) hash.update(piece);
  hash.update(std::span(piece).first(count));
}

// Hashes the bytes of patterns from .. to - 1.
void update(Sha256& hash, std::span<const Run> runs, std::uint64_t from, std::uint64_t to) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::uint64_t const begin = std::max(runs[i].begin, from);
    std::uint64_t const end = std::min(end_of(runs, i), to);
    if (begin < end) update(hash, runs[i].byte, end - begin);
  }
}

// Digests of conversions first .. last - 1. Each goes on from where it parts from the one before, so that equal beginnings are hashed once.
std::vector<std::string> digests_of(std::size_t first, std::size_t last) {
  std::vector<std::string> digests;
  Sha256 shared;  // of the patterns below `from`
  std::uint64_t from = 0;
  auto runs = runs_of(conversions[first]);
  for (std::size_t i = first; i < last; ++i) {
    auto const next = i + 1 < last ? runs_of(conversions[i + 1]) : std::vector<Run>{};
    bool const goes_on = !next.empty() && divergence(runs, next) >= from;
    std::uint64_t const parts = goes_on ? divergence(runs, next) : from;
    Sha256 hash = shared;
    update(hash, runs, from, parts);
    shared = goes_on ? hash : Sha256();
    update(hash, runs, parts, all_patterns);
    digests.push_back(hash.hex());
    from = goes_on ? parts : 0;
    runs = next;
  }
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
  constexpr std::size_t half = std::size(conversions) / 2;
  auto other = std::async(std::launch::async, digests_of, half, std::size(conversions));
  auto digests = digests_of(0, half);
  for (auto const& digest : other.get()) digests.push_back(digest);
  REQUIRE(digests.size() == std::size(conversions));
  for (std::size_t i = 0; i < digests.size(); ++i) {
    CAPTURE(conversions[i].name);
    CHECK(digests[i] == conversions[i].sha256);
  }
}
