#pragma once
#include <cstdint>

namespace redproof::oracle {

// What float32 arithmetic may do to one row of attention, whatever the order of its sums; for a computation that rounds once an operation.
// Every weight must be a normal float32: score_magnitude <= 40 ensures it.
struct AttentionArithmetic {
  std::int64_t head_dim;
  std::int64_t tokens;    // that the row sees
  std::int64_t tiles;     // pieces after each of which sums may be rescaled; 1: none
  double function_error;  // relative error of exp and log
};

// Bound on |computed - truth|, from AttentionTruth's magnitudes at that element:
//   a score is off by e <= gamma(head_dim + 5) * score_magnitude, and by 2 u score_magnitude more a tile (u = 2^-24, gamma(n) = nu / (1 -
//   nu)); a weight is off by the factor exp(e) (1 + function_error)^(tiles + 1), a sum of them by (1 + gamma(tokens + 2 tiles + 2)); the
//   mean is off by the quotient of both sums' worst factors, and by three more roundings. A log-sum-exp is off by the logarithm of the
//   sum's worst factor, by log's function_error of at most log(tokens) + 1, and by 2 u of that and of itself.
double attention_out_bound(double out_magnitude, double score_magnitude, const AttentionArithmetic& arithmetic);
double attention_lse_bound(double lse, double score_magnitude, const AttentionArithmetic& arithmetic);

// attention_out_bound's terms of first order in u and function_error, for an output of magnitude 1: a second derivation, without gamma,
// exp or quotients. While it is at most 2^-10 the terms of higher orders come to less than 2^-9 of it.
constexpr double first_order_out_error(double score_magnitude, const AttentionArithmetic& a) {
  return 2 * ((static_cast<double>(a.head_dim + 5 + 2 * a.tiles) * score_magnitude + static_cast<double>(a.tokens + 2 * a.tiles + 2)) *
                  0x1p-24 +
              static_cast<double>(a.tiles + 1) * a.function_error) +
         3 * 0x1p-24;
}
inline constexpr double higher_orders = 1 + 0x1p-9;

}  // namespace redproof::oracle
