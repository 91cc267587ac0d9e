#include "engine/model/rope.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

TEST_CASE("llama3's blend begins at low_freq_factor turns and ends at high_freq_factor turns", "[rope]") {
  RopeConfig config = config_of(RopeType::llama3);
  config.low_freq_factor = 2.5;
  config.high_freq_factor = 90;
  std::vector<double> truth;
  int kept = 0, stretched = 0, blended = 0;
  for (int i = 0; i < head_dim / 2; ++i) {
    const double turns = 8192 * plain(config, i) / (2 * pi);
    const double smooth = std::clamp((turns - 2.5) / (90 - 2.5), 0.0, 1.0);
    truth.push_back(plain(config, i) * (smooth + (1 - smooth) / 8));
    ++(smooth == 1 ? kept : smooth == 0 ? stretched : blended);
  }
  REQUIRE((kept > 0 && stretched > 0 && blended > 1));
  check_frequencies(make_rope(config, head_dim), truth);
}

TEST_CASE("yarn's blend follows the declared turns, and is cut to whole pairs only where truncate says so", "[rope]") {
  RopeConfig config = config_of(RopeType::yarn);
  config.beta_fast = 20;
  config.beta_slow = 3;
  const auto pair_of = [&](double turns) { return head_dim * std::log(8192 / (turns * 2 * pi)) / (2 * std::log(config.theta)); };
  for (const bool truncate : {false, true}) {
    config.truncate = truncate;
    const double low = truncate ? std::floor(pair_of(20)) : pair_of(20), high = truncate ? std::ceil(pair_of(3)) : pair_of(3);
    REQUIRE((0 < low && low + 1 < high && high < head_dim / 2));
    std::vector<double> truth;
    for (int i = 0; i < head_dim / 2; ++i) {
      const double ramp = i <= low ? 0 : i >= high ? 1 : (i - low) / (high - low);
      truth.push_back(plain(config, i) / 8 * ramp + plain(config, i) * (1 - ramp));
    }
    CAPTURE(truncate);
    check_frequencies(make_rope(config, head_dim), truth);
  }
}

// The ends are bounded one by one, to lane 0 and to the last lane; the slope keeps its sign (transformers does the same).
TEST_CASE("yarn's blend that begins and ends in one place is a step, and one whose ends are crossed still has finite frequencies",
          "[rope]") {
  RopeConfig config = config_of(RopeType::yarn);
  config.theta = 10000;
  const auto with_factors = [&](double first, double others) {
    std::vector<double> truth{plain(config, 0) * first};
    for (int i = 1; i < head_dim / 2; ++i) truth.push_back(plain(config, i) * others);
    return truth;
  };
  config.original_max_position_embeddings = 6;  // beta_slow's pair is -0.05: both ends are 0
  check_frequencies(make_rope(config, head_dim), with_factors(1, 1.0 / 8));
  config.original_max_position_embeddings = 1;  // beta_slow's pair is -1.99: the end lies in front of the first pair
  check_frequencies(make_rope(config, head_dim), with_factors(1, 1));
  config.original_max_position_embeddings = 12'000'000'000;  // beta_fast's pair is 19.4: both ends are the last lane
  check_frequencies(make_rope(config, head_dim), with_factors(1, 1));
  config.original_max_position_embeddings = std::int64_t{1} << 40;  // beta_fast's pair is 24.3: the beginning lies behind the last lane
  check_frequencies(make_rope(config, head_dim), with_factors(1.0 / 8, 1.0 / 8));
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
  for (const double factor : {1.0, 0.5}) {  // a context that does not grow
    config = config_of(RopeType::yarn);
    config.factor = factor;
    CAPTURE(factor);
    CHECK(make_rope(config, head_dim).attention_factor == 1.0);
    config.mscale = 2;
    config.mscale_all_dim = 0.5;
    CHECK(make_rope(config, head_dim).attention_factor == 1.0);
    config.attention_factor = 1.25;
    CHECK(make_rope(config, head_dim).attention_factor == 1.25);
  }
}

TEST_CASE("mscale counts beside mscale_all_dim only, and no type but yarn has an attention factor", "[rope]") {
  RopeConfig config = config_of(RopeType::yarn);
  config.mscale = 2;
  CHECK(make_rope(config, head_dim).attention_factor == Approx(0.1 * std::log(8) + 1).epsilon(1e-14));
  config.mscale = 0;
  config.mscale_all_dim = 0.5;
  CHECK(make_rope(config, head_dim).attention_factor == Approx(0.1 * std::log(8) + 1).epsilon(1e-14));
  for (const RopeType type : {RopeType::none, RopeType::linear, RopeType::llama3}) {
    config = config_of(type);
    config.attention_factor = 1.25;
    CHECK(make_rope(config, head_dim).attention_factor == 1.0);
  }
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
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double theta : {0.0, 1.0, -2.0, infinite, std::nan("")}) {
    config.theta = theta;
    CAPTURE(theta);
    CHECK(refusal_of([&] { make_rope(config, 20); }).find("rope_theta") != std::string::npos);
  }
  for (const RopeType type : {RopeType::linear, RopeType::llama3, RopeType::yarn}) {
    for (const double factor : {0.0, -8.0, infinite, std::nan("")}) {
      config = config_of(type);
      config.factor = factor;
      CAPTURE(factor);
      CHECK(refusal_of([&] { make_rope(config, 20); }).find("rope: factor") != std::string::npos);
    }
    if (type == RopeType::linear) continue;
    config = config_of(type);
    config.original_max_position_embeddings = 0;
    CHECK(refusal_of([&] { make_rope(config, 20); }).find("original_max_position_embeddings") != std::string::npos);
  }
  config = config_of(RopeType::llama3);
  config.high_freq_factor = config.low_freq_factor;
  CHECK(refusal_of([&] { make_rope(config, 20); }).find("high_freq_factor") != std::string::npos);
  for (double RopeConfig::* const beta : {&RopeConfig::beta_fast, &RopeConfig::beta_slow}) {
    config = config_of(RopeType::yarn);
    config.*beta = 0;
    CHECK(refusal_of([&] { make_rope(config, 20); }).find("beta_") != std::string::npos);
  }
}
