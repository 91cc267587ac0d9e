#include "oracle/bound/attention_error.h"

#include <cmath>

namespace redproof::oracle {
namespace {

constexpr double unit_roundoff = 0x1p-24;

double gamma(std::int64_t roundings) {
  double const error = static_cast<double>(roundings) * unit_roundoff;
  return error / (1.0 - error);
}

// Worst relative error of a sum of weights, or of weights times values relative to their magnitudes.
double sum_error(double score_magnitude, const AttentionArithmetic& a) {
  auto const tiles = static_cast<double>(a.tiles);
  double const score_error = (gamma(a.head_dim + 5) + 2 * tiles * unit_roundoff) * score_magnitude;
  double const weight_error = std::expm1(score_error + (tiles + 1) * std::log1p(a.function_error));
  return (1 + weight_error) * (1 + gamma(a.tokens + 2 * a.tiles + 2)) - 1;
}

}  // namespace

double attention_out_bound(double out_magnitude, double score_magnitude, const AttentionArithmetic& arithmetic) {
  double const error = sum_error(score_magnitude, arithmetic);
  if (error >= 1) return INFINITY;
  return out_magnitude * ((1 + error) / (1 - error) * (1 + gamma(3)) - 1);
}

double attention_lse_bound(double lse, double score_magnitude, const AttentionArithmetic& arithmetic) {
  double const error = sum_error(score_magnitude, arithmetic);
  if (error >= 1) return INFINITY;
  double const sum_log = std::log(static_cast<double>(arithmetic.tokens)) + 1;  // of weights up to 1
  return -std::log1p(-error) + arithmetic.function_error * sum_log + 2 * unit_roundoff * (std::abs(lse) + sum_log);
}

}  // namespace redproof::oracle
