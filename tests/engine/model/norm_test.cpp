#include "engine/model/norm.h"

#include <cmath>
#include <random>
#include <vector>

#include "tests/catch.h"

using namespace redproof::engine;

TEST_CASE("RMSNorm divides each row by the root of its mean square and applies the weights", "[norm]") {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (const std::size_t size : {1U, 8U, 20U, 48U, 577U}) {
    std::vector<float> x(3 * size), weight(size), out(3 * size);
    for (float& value : x) value = normal(random);
    for (float& value : weight) value = normal(random);
    rms_norm(x.data(), weight, 1e-5F, 3, out.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t row = i / size;
      double squares = 0;
      for (std::size_t j = 0; j < size; ++j) squares += static_cast<double>(x[row * size + j]) * x[row * size + j];
      const double truth = x[i] / std::sqrt(squares / static_cast<double>(size) + 1e-5F) * weight[i % size];
      // Roundings of at most 2^-24: size / 8 + 4 of the sum of positive terms (halved by the root), and 6 of the other steps.
      const double bound = (static_cast<double>(size) / 16 + 9) * std::ldexp(std::fabs(truth), -24);
      CAPTURE(size, i);
      CHECK_FALSE(!(std::fabs(out[i] - truth) <= bound));
    }
  }
}

TEST_CASE("RMSNorm in place gives the same bits, and a row depends on itself alone", "[norm]") {
  std::vector<float> x{1, -2, 3, 0.5F, 4, 0.25F};
  const std::vector<float> weight{1, 2, -1};
  std::vector<float> out(6), second(3);
  rms_norm(x.data(), weight, 1e-6F, 2, out.data());
  rms_norm(x.data() + 3, weight, 1e-6F, 1, second.data());
  rms_norm(x.data(), weight, 1e-6F, 2, x.data());
  CHECK(x == out);
  CHECK(std::vector<float>(out.begin() + 3, out.end()) == second);
}
