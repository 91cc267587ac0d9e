#include "oracle/bound/envelope.h"

#include <algorithm>
#include <cmath>

#include "oracle/nearest.h"

namespace redproof::oracle {
namespace {

// floor(log2(|x| / scale)) from the two significands, without the quotient.
int binade_of_quotient(double x, float scale) {
  int x_exponent = 0;
  int scale_exponent = 0;
  double const x_significand = std::frexp(std::abs(x), &x_exponent);
  double const scale_significand = std::frexp(static_cast<double>(scale), &scale_exponent);
  return x_exponent - scale_exponent - (x_significand < scale_significand ? 1 : 0);
}

double half_smallest_step(float scale) { return std::ldexp(static_cast<double>(scale), -10); }

}  // namespace

bool is_power_of_two(float scale) {
  int exponent = 0;
  return std::frexp(scale, &exponent) == 0.5F;
}

double scale_slack(double x, float scale) {
  return is_power_of_two(scale) ? 0.0 : std::ldexp(std::abs(x) + half_smallest_step(scale), -22);
}

double loose_bound(double x, float scale) { return std::ldexp(std::abs(x), -4) + half_smallest_step(scale) + scale_slack(x, scale); }

double sharp_bound(double x, float scale) { return std::max(std::abs(x) / 17.0, half_smallest_step(scale)) + scale_slack(x, scale); }

double half_step_bound(double x, float scale) {
  double const half = x == 0.0 ? half_step(e4m3fn, 0.0) : half_step(e4m3fn, std::ldexp(1.0, binade_of_quotient(x, scale)));
  return half * static_cast<double>(scale) + scale_slack(x, scale);
}

// 464 = 29 * 16, so its product with a float32 is exact in double.
bool does_not_saturate(double x, float scale) { return std::abs(x) <= 464.0 * static_cast<double>(scale); }
bool is_normal_quotient(double x, float scale) { return std::abs(x) >= std::ldexp(static_cast<double>(scale), -6); }
bool vanishes(double x, float scale) { return std::abs(x) <= half_smallest_step(scale); }

}  // namespace redproof::oracle
