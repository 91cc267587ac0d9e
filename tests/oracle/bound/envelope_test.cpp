#include "oracle/bound/envelope.h"

#include <algorithm>
#include <cmath>

#include "oracle/stored_byte.h"
#include "tests/catch.h"
#include "tests/oracle/disagreements.h"

using namespace redproof::oracle;

namespace {

struct Worst {
  double sharp = 0;  // error / bound
  double loose = 0;
  double half_step = 0;
  double without_slack = 0;
  double slack_needed = 0;  // share of the half-step bound's
  std::uint64_t normal = 0;
  std::uint64_t vanished = 0;
};

void measure(double x, float scale, double error, Worst& worst) {
  worst.sharp = std::max(worst.sharp, error / sharp_bound(x, scale));
  worst.loose = std::max(worst.loose, error / loose_bound(x, scale));
  worst.half_step = std::max(worst.half_step, error / half_step_bound(x, scale));
  worst.without_slack = std::max(worst.without_slack, error - (sharp_bound(x, scale) - scale_slack(x, scale)));
  double const slack = scale_slack(x, scale);
  if (slack > 0) worst.slack_needed = std::max(worst.slack_needed, (error - (half_step_bound(x, scale) - slack)) / slack);
  worst.normal += is_normal_quotient(x, scale);
  worst.vanished += vanishes(x, scale);
}

// All bfloat16 values that do not saturate at a scale.
Worst worst_of(float scale) {
  Worst worst;
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    double const x = f32_from_bf16(static_cast<std::uint16_t>(code));
    if (!(does_not_saturate(x, scale))) continue;
    measure(x, scale, std::abs(read_value(stored_byte(static_cast<std::uint16_t>(code), scale), scale) - x), worst);
  }
  return worst;
}

float scale_at(Bits& bits) {
  auto const random = bits.next();
  return std::ldexp(1.0F + static_cast<float>(random & 0x7FFFFF) * 0x1p-23F, static_cast<int>((random >> 40) % 24) - 12);
}

}  // namespace

TEST_CASE("a correct codec attains the sharp envelope with equality at power-of-two scales", "[envelope]") {
  for (float const scale : {0x1p-12F, 0.25F, 1.0F, 8.0F}) {
    auto const worst = worst_of(scale);
    CAPTURE(scale);
    CHECK(worst.sharp == 1.0);
    CHECK(worst.half_step == 1.0);
    CHECK(worst.loose < 1.0);
    CHECK(worst.loose > 0.9);
    CHECK(worst.normal > 3'000);
    CHECK(worst.vanished > 1'000);
  }
  double const tie = 1.0625;  // 17/16: goes down to 1
  CHECK(std::abs(read_value(stored_byte(bf16_from_f32(1.0625F), 1.0F), 1.0F) - tie) == sharp_bound(tie, 1.0F));
}

TEST_CASE("a correct codec stays inside every envelope at other scales", "[envelope]") {
  Bits bits{9};
  for (int i = 0; i < 60; ++i) {
    float const scale = i == 0 ? 0.06F : i == 1 ? 0.35F : i == 2 ? 0.1F : i == 3 ? 1.0F / 3.0F : scale_at(bits);
    auto const worst = worst_of(scale);
    CAPTURE(scale);
    CHECK(worst.sharp <= 1.0);
    CHECK(worst.loose <= 1.0);
    CHECK(worst.half_step <= 1.0);
    CHECK(worst.normal > 3'000);
  }
}

TEST_CASE("without its slack the sharp envelope is too tight at a scale that is no power of two", "[envelope]") {
  CHECK(worst_of(1.0F / 3.0F).without_slack > 0);
  CHECK(worst_of(0.1F).without_slack > 0);
  double const x = 0x1.4p-8;
  float const third = 1.0F / 3.0F;
  double const error = std::abs(read_value(stored_byte_f32(static_cast<float>(x), third), third) - x);
  CHECK(error > sharp_bound(x, third) - scale_slack(x, third));
  CHECK(error <= sharp_bound(x, third));
}

TEST_CASE("every bound is its closed form, with a slack of 2^-22 where the scale is no power of two", "[envelope]") {
  struct Value {
    double x;
    float scale;
    double half;  // of the step of e4m3fn at |x| / scale
    bool exact;   // the scale is a power of two
  };
  for (auto const& [x, scale, half, exact] : {Value{1.0, 0.06F, 1.0, false},            // 16.7
                                              Value{-0.5, 1.0F / 3.0F, 0x1p-4, false},  // 1.5
                                              Value{100.0, 1.75F, 2.0, false},          // 57.1
                                              Value{-0x1p-12, 0.06F, 0x1p-10, false},   // 0.0041: below the normal codes
                                              Value{0.0, 0.35F, 0x1p-10, false}, Value{1.0, 0.25F, 0x1p-2, true},
                                              Value{-3.0, 8.0F, 0x1p-6, true}, Value{100.0, 0.5F, 8.0, true}}) {
    double const slack = exact ? 0 : (std::abs(x) + scale / 1024.0) / 4194304.0;
    CAPTURE(x, scale);
    CHECK(scale_slack(x, scale) == slack);
    CHECK(sharp_bound(x, scale) == Approx(std::max(std::abs(x) / 17, scale / 1024.0) + slack).epsilon(1e-14));
    CHECK(loose_bound(x, scale) == Approx(std::abs(x) / 16 + scale / 1024.0 + slack).epsilon(1e-14));
    CHECK(half_step_bound(x, scale) == Approx(half * scale + slack).epsilon(1e-14));
  }
}

// Quotient and product round by 2^-24 of a value each, together about half of the slack.
TEST_CASE("a correct codec needs more than a quarter of the slack, and no more than half of it", "[envelope]") {
  CHECK(worst_of(1.0F / 3.0F).slack_needed > 0.25);
  for (float const scale : {0.06F, 0.1F, 1.0F / 3.0F, 0.35F, 1.75F}) {
    CAPTURE(scale);
    CHECK(worst_of(scale).slack_needed <= 0.5);
  }
}

TEST_CASE("the sharp envelope lies below the loose one everywhere", "[envelope]") {
  Bits bits{10};
  for (int i = 0; i < 2'000; ++i) {
    float const scale = scale_at(bits);
    double const x = std::ldexp(static_cast<double>(bits.next() >> 11) * 0x1p-53, static_cast<int>(bits.next() % 40) - 30);
    if (!(sharp_bound(x, scale) <= loose_bound(x, scale)) || !(sharp_bound(-x, scale) == sharp_bound(x, scale))) {
      FAIL("x " << x << " scale " << scale);
    }
  }
  CHECK(sharp_bound(0.0, 1.0F) == loose_bound(0.0, 1.0F));
}

TEST_CASE("preconditions are decided exactly at their edges", "[envelope]") {
  double const edge = 464.0 * static_cast<double>(0.06F);
  CHECK(does_not_saturate(edge, 0.06F));
  CHECK(does_not_saturate(-edge, 0.06F));
  CHECK_FALSE(does_not_saturate(std::nextafter(edge, 1e9), 0.06F));
  CHECK_FALSE(does_not_saturate(std::nan(""), 1.0F));
  CHECK(is_normal_quotient(0x1p-6, 1.0F));
  CHECK_FALSE(is_normal_quotient(std::nextafter(0x1p-6, 0.0), 1.0F));
  CHECK(vanishes(0x1p-10, 1.0F));
  CHECK_FALSE(vanishes(std::nextafter(0x1p-10, 1.0), 1.0F));
  CHECK(is_power_of_two(0x1p-149F));
  CHECK_FALSE(is_power_of_two(0.06F));
  CHECK_FALSE(is_power_of_two(0.0F));
}

TEST_CASE("the half-step bound follows the binade of the quotient", "[envelope]") {
  CHECK(half_step_bound(0.0, 1.0F) == 0x1p-10);
  CHECK(half_step_bound(1.0, 1.0F) == 0x1p-4);
  CHECK(half_step_bound(std::nextafter(1.0, 0.0), 1.0F) == 0x1p-5);
  CHECK(half_step_bound(448.0, 1.0F) == 16.0);
  CHECK(half_step_bound(3.0, 2.0F) == 0x1p-3);
  CHECK(half_step_bound(-3.0, 4.0F) == 0x1p-3);
}
