#include "engine/model/rope.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"

using namespace redproof::engine;
using redproof::tests::refusal_of;
using std::numbers::pi;

namespace {

constexpr std::int32_t head_dim = 20;

RopeConfig config_of(RopeType type) {
  RopeConfig config;
  config.type = type;
  config.theta = 500000;
  config.factor = 8;
  config.high_freq_factor = 4;
  config.original_max_position_embeddings = 8192;
  return config;
}

double plain(const RopeConfig& config, int pair) { return 1 / std::pow(config.theta, 2.0 * pair / head_dim); }

void check_frequencies(const Rope& rope, const std::vector<double>& truth) {
  REQUIRE(rope.frequencies.size() == truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    CAPTURE(i, rope.frequencies[i], truth[i]);
    CHECK_FALSE(!(std::fabs(rope.frequencies[i] - truth[i]) <= 1e-13 * truth[i]));
  }
}

}  // namespace

TEST_CASE("without scaling a pair of lanes turns by theta to the power of minus its share", "[rope]") {
  const RopeConfig config = config_of(RopeType::none);
  std::vector<double> truth;
  for (int i = 0; i < head_dim / 2; ++i) truth.push_back(plain(config, i));
  check_frequencies(make_rope(config, head_dim), truth);
  CHECK(make_rope(config, head_dim).attention_factor == 1.0);
}

TEST_CASE("linear scaling divides every frequency by the factor", "[rope]") {
  const RopeConfig config = config_of(RopeType::linear);
  std::vector<double> truth;
  for (int i = 0; i < head_dim / 2; ++i) truth.push_back(plain(config, i) / 8);
  check_frequencies(make_rope(config, head_dim), truth);
}

TEST_CASE("llama3 scaling keeps short wavelengths, stretches long ones and blends between them", "[rope]") {
  const RopeConfig config = config_of(RopeType::llama3);
  std::vector<double> truth;
  int kept = 0, stretched = 0, blended = 0;
  for (int i = 0; i < head_dim / 2; ++i) {
    const double wavelength = 2 * pi / plain(config, i);
    if (wavelength < 8192.0 / 4) {
      truth.push_back(plain(config, i));
      ++kept;
    } else if (wavelength > 8192.0 / 1) {
      truth.push_back(plain(config, i) / 8);
      ++stretched;
    } else {
      const double smooth = (8192 / wavelength - 1) / (4 - 1);
      truth.push_back((1 - smooth) * plain(config, i) / 8 + smooth * plain(config, i));
      ++blended;
    }
  }
  REQUIRE((kept > 0 && stretched > 0 && blended > 0));
  check_frequencies(make_rope(config, head_dim), truth);
}

TEST_CASE("yarn blends pairs of lanes between the turns of beta_fast and beta_slow", "[rope]") {
  const RopeConfig config = config_of(RopeType::yarn);
  const auto pair_of = [&](double turns) { return head_dim * std::log(8192 / (turns * 2 * pi)) / (2 * std::log(config.theta)); };
  const double low = std::floor(pair_of(32)), high = std::ceil(pair_of(1));
  REQUIRE((low > 0 && low + 1 < high && high < head_dim / 2));
  std::vector<double> truth;
  for (int i = 0; i < head_dim / 2; ++i) {
    const double ramp = i <= low ? 0 : i >= high ? 1 : (i - low) / (high - low);
    truth.push_back(plain(config, i) / 8 * ramp + plain(config, i) * (1 - ramp));
  }
  check_frequencies(make_rope(config, head_dim), truth);
}

TEST_CASE("yarn's blend runs past the last pair where the original context is long: its end is bounded by lanes, not by pairs", "[rope]") {
  RopeConfig config = config_of(RopeType::yarn);
  config.theta = 10000;
  config.original_max_position_embeddings = 65536;
  const auto pair_of = [&](double turns) { return head_dim * std::log(65536 / (turns * 2 * pi)) / (2 * std::log(config.theta)); };
  const double low = std::floor(pair_of(32)), high = std::ceil(pair_of(1));
  REQUIRE((low > 0 && low < head_dim / 2 - 1 && high > head_dim / 2 - 1 && high < head_dim - 1));
  std::vector<double> truth;
  for (int i = 0; i < head_dim / 2; ++i) {
    const double ramp = i <= low ? 0 : (i - low) / (high - low);
    truth.push_back(plain(config, i) / 8 * ramp + plain(config, i) * (1 - ramp));
  }
  check_frequencies(make_rope(config, head_dim), truth);
}

TEST_CASE("yarn's attention factor is the declared one, or follows factor, mscale and mscale_all_dim", "[rope]") {
  RopeConfig config = config_of(RopeType::yarn);
  CHECK(make_rope(config, head_dim).attention_factor == Approx(0.1 * std::log(8) + 1).epsilon(1e-14));
  config.mscale = 2;
  config.mscale_all_dim = 0.5;
  CHECK(make_rope(config, head_dim).attention_factor == Approx((0.2 * std::log(8) + 1) / (0.05 * std::log(8) + 1)).epsilon(1e-14));
  config.attention_factor = 1.25;
  CHECK(make_rope(config, head_dim).attention_factor == 1.25);
  config = config_of(RopeType::yarn);
  config.factor = 1;
  CHECK(make_rope(config, head_dim).attention_factor == 1.0);
}

TEST_CASE("lane i turns with lane i + head_dim / 2, by position times frequency, times the attention factor", "[rope]") {
  RopeConfig config = config_of(RopeType::yarn);
  config.attention_factor = 1.25;
  const Rope rope = make_rope(config, head_dim);
  const std::vector<std::int64_t> positions{0, 7, 130000};
  std::vector<float> x(3 * 2 * head_dim);  // [rows, heads, head_dim]
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 13) - 5.5F;
  const std::vector<float> before = x;
  apply_rope(rope_angles(rope, positions), 3, 2, head_dim, x.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t lane = i % head_dim;
    const std::size_t pair = lane % (head_dim / 2);
    const double angle = static_cast<double>(positions[i / (2 * head_dim)]) * rope.frequencies[pair];
    const std::size_t first = i - lane + pair, second = first + head_dim / 2;
    const double truth = 1.25 * (lane == pair ? before[first] * std::cos(angle) - before[second] * std::sin(angle)
                                              : before[second] * std::cos(angle) + before[first] * std::sin(angle));
    CAPTURE(i);
    CHECK_FALSE(!(std::fabs(x[i] - truth) <= 16 * std::ldexp(1, -22)));  // 3 roundings of numbers below 8
  }
}

TEST_CASE("a rope that makes no sense is refused by field", "[rope]") {
  RopeConfig config;
  CHECK(refusal_of([&] { make_rope(config, 21); }).find("head_dim") != std::string::npos);
  config.theta = 0;
  CHECK(refusal_of([&] { make_rope(config, 20); }).find("rope_theta") != std::string::npos);
  config = config_of(RopeType::llama3);
  config.high_freq_factor = config.low_freq_factor;
  CHECK(refusal_of([&] { make_rope(config, 20); }).find("high_freq_factor") != std::string::npos);
  config = config_of(RopeType::yarn);
  config.original_max_position_embeddings = 0;
  CHECK(refusal_of([&] { make_rope(config, 20); }).find("original_max_position_embeddings") != std::string::npos);
}
