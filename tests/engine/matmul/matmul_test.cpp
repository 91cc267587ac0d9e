#include "engine/matmul/matmul.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "engine/bits/bf16.h"
#include "tests/catch.h"
#include "tests/engine/isas.h"

using namespace redproof::engine;
using namespace redproof::engine::fixture;

namespace {

// A matrix with its own memory, and its values widened to float32.
struct Weights {
  std::vector<float> floats;
  std::vector<std::uint16_t> halves;
  Matrix matrix;

  Weights(DType dtype, std::int64_t rows, std::int64_t cols, std::mt19937& random) : matrix{nullptr, dtype, rows, cols} {
    for (std::int64_t i = 0; i < rows * cols; ++i) {
      const auto bits = static_cast<std::uint16_t>(random());
      // Halves of both formats with exponents around 1: sign and fraction at random.
      if (dtype == DType::bf16) halves.push_back((bits & 0x80ffU) | 0x3e00U);
      if (dtype == DType::f16) halves.push_back((bits & 0x87ffU) | 0x3400U);
      if (dtype == DType::f32) floats.push_back(std::uniform_real_distribution<float>(-1, 1)(random));
    }
    if (dtype == DType::bf16)
      for (const auto h : halves) floats.push_back(bf16_to_f32(h));
    if (dtype == DType::f16)
      for (const auto h : halves) floats.push_back(f16_to_f32(h));
    matrix.data = dtype == DType::f32 ? static_cast<const void*>(floats.data()) : halves.data();
  }
  Weights(const Weights&) = delete;
  Weights& operator=(const Weights&) = delete;

  const float* row(std::int64_t n) const { return floats.data() + n * matrix.cols; }
};

std::vector<float> random_floats(std::int64_t count, std::mt19937& random) {
  std::vector<float> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(std::uniform_real_distribution<float>(-2, 2)(random));
  return out;
}

// The order that the header promises, element by element.
float in_documented_order(const float* x, const float* w, std::int64_t count) {
  std::array<float, 8> lane{};
  for (std::int64_t k = 0; k < count; ++k) {
    const float product = x[k] * w[k];
    lane[static_cast<std::size_t>(k % 8)] += product;
  }
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

// How many outputs are not, bit for bit, the documented sum of their own row and column.
std::int64_t strays(const Weights& w, std::int64_t m, const float* bias, const CpuOptions& cpu, std::mt19937& random) {
  const auto x = random_floats(m * w.matrix.cols, random);
  std::vector<float> y(static_cast<std::size_t>(m * w.matrix.rows), std::nanf(""));
  matmul(x.data(), m, w.matrix, bias, y.data(), cpu);
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < m * w.matrix.rows; ++i) {
    const std::int64_t n = i % w.matrix.rows;
    const float sum = in_documented_order(x.data() + i / w.matrix.rows * w.matrix.cols, w.row(n), w.matrix.cols);
    const float truth = bias == nullptr ? sum : sum + bias[n];
    if (std::bit_cast<std::uint32_t>(y[static_cast<std::size_t>(i)]) != std::bit_cast<std::uint32_t>(truth)) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("every output of a matrix product is one dot product in the documented order", "[matmul]") {
  std::mt19937 random(1);
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    for (const std::int64_t cols : {1, 7, 8, 9, 16, 31, 33, 48, 100, 577}) {
      for (const std::int64_t rows : {1, 3, 4, 5, 17}) {
        const Weights w(dtype, rows, cols, random);
        const auto bias = random_floats(rows, random);
        for (const std::int64_t m : {1, 2, 3, 4, 7}) {
          for (const CpuIsa isa : isas()) {
            CAPTURE(static_cast<int>(dtype), cols, rows, m, static_cast<int>(isa));
            CHECK(strays(w, m, nullptr, {isa, 1}, random) == 0);
            CHECK(strays(w, m, bias.data(), {isa, 1}, random) == 0);
          }
        }
      }
    }
  }
}

TEST_CASE("threads change no bit of a matrix product", "[matmul]") {
  std::mt19937 random(2);
  const Weights w(DType::bf16, 211, 333, random);
  for (const std::int64_t m : {1, 2, 5}) {
    for (const int threads : {1, 2, 3, 5}) {
      for (const CpuIsa isa : isas()) {
        CAPTURE(m, threads, static_cast<int>(isa));
        CHECK(strays(w, m, nullptr, {isa, threads}, random) == 0);
      }
    }
  }
}

// A product is rounded once, then goes through at most ceil(K / 8) + 3 additions, each rounding by at most u = 2^-24 relative: the error is
// below gamma(n) * sum |x w| with n = ceil(K / 8) + 4 and gamma(n) = n u / (1 - n u) (Higham, Accuracy and Stability, section 3.1).
TEST_CASE("a matrix product stays within the rounding bound of its order of summation", "[matmul]") {
  std::mt19937 random(3);
  const Weights w(DType::bf16, 40, 1531, random);
  const auto x = random_floats(3 * w.matrix.cols, random);
  std::vector<float> y(3 * 40);
  matmul(x.data(), 3, w.matrix, nullptr, y.data(), {isas().back(), 2});
  const double n = std::ceil(static_cast<double>(w.matrix.cols) / 8) + 4;
  const double gamma = n * std::ldexp(1, -24) / (1 - n * std::ldexp(1, -24));
  for (std::int64_t i = 0; i < 3 * 40; ++i) {
    double truth = 0;
    double magnitude = 0;
    for (std::int64_t k = 0; k < w.matrix.cols; ++k) {
      const double product = static_cast<double>(x[static_cast<std::size_t>(i / 40 * w.matrix.cols + k)]) * w.row(i % 40)[k];
      truth += product;
      magnitude += std::fabs(product);
    }
    const double error = std::fabs(y[static_cast<std::size_t>(i)] - truth);
    CAPTURE(i, error, gamma * magnitude);
    CHECK_FALSE(!(error <= gamma * magnitude));
  }
}

TEST_CASE("a matrix product passes infinities and NaN on to their own outputs alone", "[matmul]") {
  for (const CpuIsa isa : isas()) {
    const std::vector<float> weights{1, 1, 1, 0, 0, 0};   // [2, 3]
    const std::vector<float> x{INFINITY, 1, 2, 1, 1, 1};  // [2, 3]
    std::vector<float> y(4);
    matmul(x.data(), 2, {weights.data(), DType::f32, 2, 3}, nullptr, y.data(), {isa, 1});
    CHECK(y[0] == INFINITY);
    CHECK(std::isnan(y[1]));
    CHECK(y[2] == 3.0F);
    CHECK(y[3] == 0.0F);
  }
}
