#include "engine/cli/bandwidth.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>

#include "engine/matmul/threads.h"

namespace redproof::engine::cli {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 20;
constexpr std::size_t line_bytes = 64;

// One load a line and a short chain: the line is what memory delivers, whatever is done with it.
std::uint64_t read_lines(const std::byte* begin, const std::byte* end) {
  std::array<std::uint64_t, 4> sum{};
  for (; begin + 4 * line_bytes <= end; begin += 4 * line_bytes) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, begin + i * line_bytes, sizeof word);
      sum[i] += word;
    }
  }
  return sum[0] + sum[1] + sum[2] + sum[3];
}

double pass_seconds(const std::byte* buffer, int threads, std::array<std::uint64_t, 2>& sums) {
  const auto start = std::chrono::steady_clock::now();
  parallel_for(threads, threads, [&](std::int64_t begin, std::int64_t end) {
    const std::size_t part = buffer_bytes / static_cast<std::size_t>(threads);
    for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t) {
      sums[t] += read_lines(buffer + t * part, buffer + (t + 1) * part);
    }
  });
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

double read_gb_per_s() {
  const auto buffer = std::make_unique_for_overwrite<std::byte[]>(buffer_bytes);
  std::memset(buffer.get(), 1, buffer_bytes);
  std::array<std::uint64_t, 2> sums{};
  double best = 1e9;
  for (int pass = 0; pass < 6; ++pass) {
    for (const int threads : {1, 2}) best = std::min(best, pass_seconds(buffer.get(), threads, sums));
  }
  const volatile std::uint64_t kept = sums[0] + sums[1];  // so that the reads are not optimised away
  static_cast<void>(kept);
  return static_cast<double>(buffer_bytes) / best / 1e9;
}

}  // namespace redproof::engine::cli
