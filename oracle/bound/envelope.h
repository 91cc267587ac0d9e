#pragma once

namespace redproof::oracle {

// Bounds on |read(store(x)) - x| for an e4m3fn cache of one scale, |x| <= 464 * scale. `error` in `!(error <= bound)` is a difference of
// two float32 values taken in double; both bounds are then decisive although they are rounded: rounding is monotone, so an error that
// is at most the real bound is at most the rounded one.

// 2^-4 |x| + 2^-10 scale, plus scale_slack.
double loose_bound(double x, float scale);

// max(|x| / 17, 2^-10 scale), plus scale_slack: a correct codec attains it at power-of-two scales, at x = 17/16 * 2^n * scale.
double sharp_bound(double x, float scale);

// Half of e4m3fn's step at |x| / scale, times scale, plus scale_slack: the tightest bound, from the binade of the quotient.
double half_step_bound(double x, float scale);

// 2^-22 (|x| + 2^-10 scale) where the float32 division and multiplication round as well; 0 at powers of two.
double scale_slack(double x, float scale);

bool is_power_of_two(float scale);

// Preconditions, decided exactly.
bool does_not_saturate(double x, float scale);   // |x| <= 464 * scale
bool is_normal_quotient(double x, float scale);  // 2^-6 * scale <= |x|
bool vanishes(double x, float scale);            // |x| <= 2^-10 * scale: stored as a signed zero

}  // namespace redproof::oracle
