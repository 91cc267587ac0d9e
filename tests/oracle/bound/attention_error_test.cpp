#include "oracle/bound/attention_error.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/attention/attention.h"
#include "tests/catch.h"
#include "tests/oracle/disagreements.h"

using namespace redproof::oracle;

namespace {

constexpr std::int64_t head_dim = 32;
constexpr double function_error = 0x1p-23;
constexpr double u = 0x1p-24;

// The largest factor by which a sum of weights may be off: exp of the score's error, every exp's own error, every rounding.
long double worst_sum(double score_magnitude, const AttentionArithmetic& a) {
  long double const dot = (a.head_dim + 5) * u;
  long double const score_error = score_magnitude * (dot / (1 - dot) + 2 * u * a.tiles);
  long double factor = std::exp(score_error) / (1 - u * (a.tokens + 2 * a.tiles + 2));
  for (std::int64_t i = 0; i <= a.tiles; ++i) factor *= 1 + static_cast<long double>(a.function_error);
  return factor;
}

struct Case {
  std::vector<float> q, k, v;  // one head
  AttentionProblem problem;
};

float uniform(Bits& bits) { return static_cast<float>(static_cast<std::int64_t>(bits.next() >> 40)) * 0x1p-23F - 1.0F; }

Case make_case(Bits& bits, std::int64_t tokens) {
  Case made;
  for (std::int64_t i = 0; i < head_dim; ++i) made.q.push_back(4 * uniform(bits));
  for (std::int64_t i = 0; i < tokens * head_dim; ++i) {
    made.k.push_back(uniform(bits));
    made.v.push_back(uniform(bits));
  }
  made.problem = {made.q, made.k, made.v, 1, tokens, 1, 1, head_dim, tokens - 1, 0, 0.25F, 0.75F, 1.5F};
  return made;
}

struct Computed {
  std::vector<float> out;
  float lse;
};

// Float32, one pass over tiles, rescaled where a tile raises the maximum.
Computed in_float32(const Case& c, std::int64_t tile) {
  auto const& p = c.problem;
  auto const scale = static_cast<float>(p.softmax_scale) * static_cast<float>(p.k_scale);
  std::vector<float> acc(head_dim, 0.0F);
  float max = -INFINITY;
  float sum = 0;
  for (std::int64_t first = 0; first < p.tokens; first += tile) {
    std::vector<float> scores;
    for (std::int64_t t = first; t < std::min(first + tile, p.tokens); ++t) {
      float dot = 0;
      for (std::int64_t i = 0; i < head_dim; ++i) dot += c.q[static_cast<std::size_t>(i)] * c.k[static_cast<std::size_t>(t * head_dim + i)];
      scores.push_back(dot * scale);
    }
    float const new_max = std::max(max, *std::max_element(scores.begin(), scores.end()));
    float const correction = std::exp(max - new_max);
    sum *= correction;
    for (auto& lane : acc) lane *= correction;
    for (std::size_t t = 0; t < scores.size(); ++t) {
      float const weight = std::exp(scores[t] - new_max);
      sum += weight;
      auto const* v = c.v.data() + (static_cast<std::size_t>(first) + t) * head_dim;
      for (std::size_t i = 0; i < acc.size(); ++i) acc[i] += weight * v[i];
    }
    max = new_max;
  }
  for (auto& lane : acc) lane = lane / sum * static_cast<float>(p.v_scale);
  return {acc, max + std::log(sum)};
}

struct Ratios {
  double out = 0;
  double lse = 0;
};

Ratios worst_ratios(std::int64_t tokens, std::int64_t tile, int cases) {
  Bits bits{13};
  Ratios worst;
  for (int i = 0; i < cases; ++i) {
    auto const c = make_case(bits, tokens);
    auto const truth = attention(c.problem);
    auto const computed = in_float32(c, tile);
    AttentionArithmetic const arithmetic{head_dim, tokens, (tokens + tile - 1) / tile, function_error};
    for (std::size_t lane = 0; lane < computed.out.size(); ++lane) {
      double const bound = attention_out_bound(truth.out_magnitude[lane], truth.score_magnitude[0], arithmetic);
      worst.out = std::max(worst.out, std::abs(computed.out[lane] - truth.out[lane]) / bound);
    }
    worst.lse = std::max(worst.lse,
                         std::abs(computed.lse - truth.lse[0]) / attention_lse_bound(truth.lse[0], truth.score_magnitude[0], arithmetic));
  }
  return worst;
}

}  // namespace

TEST_CASE("float32 attention stays inside its bound, and the bound is at most 100 times too wide", "[attention_error]") {
  for (std::int64_t const tokens : {1, 2, 15, 16, 17, 64}) {
    for (std::int64_t const tile : {16, 64}) {
      auto const worst = worst_ratios(tokens, tile, 200);
      CAPTURE(tokens, tile, worst.out, worst.lse);
      CHECK(worst.out <= 1.0);
      CHECK(worst.lse <= 1.0);
      CHECK((tokens == 1 || worst.out >= 0.01));  // a single weight cancels
      CHECK(worst.lse >= 0.01);
    }
  }
}

TEST_CASE("without scores and function errors a bound is that of its sums, its quotient and its logarithm", "[attention_error]") {
  // One token, one tile: a sum is off by 1 / (1 - 5u), so a quotient of two by 1 / (1 - 10u), and by three roundings more.
  AttentionArithmetic const one{64, 1, 1, 0.0};
  CHECK(attention_out_bound(1.0, 0.0, one) == Approx(1 / ((1 - 10 * u) * (1 - 3 * u)) - 1).epsilon(1e-8));
  CHECK(attention_lse_bound(0.0, 0.0, one) == Approx(std::log((1 - 5 * u) / (1 - 10 * u)) + 2 * u).epsilon(1e-8));
  CHECK(attention_lse_bound(-9.0, 0.0, one) == Approx(std::log((1 - 5 * u) / (1 - 10 * u)) + 20 * u).epsilon(1e-8));
  // 1000 tokens, three tiles: 1000 + 6 + 2 roundings.
  AttentionArithmetic const many{64, 1000, 3, 0.0};
  CHECK(attention_out_bound(1.0, 0.0, many) == Approx(1 / ((1 - 2016 * u) * (1 - 3 * u)) - 1).epsilon(1e-8));
  double const log_sum = std::log(1000.0) + 1;
  CHECK(attention_lse_bound(0.0, 0.0, many) == Approx(std::log((1 - 1008 * u) / (1 - 2016 * u)) + 2 * u * log_sum).epsilon(1e-8));
}

TEST_CASE("every cause of error enters the bounds with its own factor, no larger and no smaller", "[attention_error]") {
  for (auto const& a : {AttentionArithmetic{4, 1, 1, 0x1p-23}, AttentionArithmetic{64, 64, 3, 0x1p-23},
                        AttentionArithmetic{136, 150, 4, 0x1p-23}, AttentionArithmetic{4, 5, 40, 0.0}, AttentionArithmetic{4, 7, 3, 0x1p-6},
                        AttentionArithmetic{20000, 3, 1, 0x1p-20}, AttentionArithmetic{2, 100000, 2, 0.0}}) {
    for (double const score : {0.0, 0.5, 40.0}) {
      long double const sum = worst_sum(score, a);
      long double const out = sum / (2 - sum) / (1 - 3 * u) - 1;
      CAPTURE(a.head_dim, a.tokens, a.tiles, a.function_error, score);
      CHECK(attention_out_bound(1.0, score, a) == Approx(static_cast<double>(out)).epsilon(1e-8));
      CHECK(attention_out_bound(0.375, score, a) == 0.375 * attention_out_bound(1.0, score, a));
      for (double const lse : {0.0, -3.0, 70.0}) {
        long double const log_sum = std::log(static_cast<long double>(a.tokens)) + 1;
        long double const truth = -std::log(2 - sum) + a.function_error * log_sum + 2 * u * (std::abs(lse) + log_sum);
        CAPTURE(lse);
        CHECK(attention_lse_bound(lse, score, a) == Approx(static_cast<double>(truth)).epsilon(1e-8));
      }
    }
  }
}

TEST_CASE("a bound of at most 2^-10 is its first order, and less than 2^-9 of that for the higher ones", "[attention_error]") {
  for (auto const& [score, a] : {std::pair{40.0, AttentionArithmetic{136, 150, 4, 0x1p-23}},
                                 {40.0, {67, 75, 3, 0x1p-23}},
                                 {0.0, {64, 1, 1, 0.0}},
                                 {7.5, {4, 12, 2, 0x1p-23}},
                                 {0.25, {128, 4000, 64, 0x1p-22}}}) {
    double const first = first_order_out_error(score, a);
    double const bound = attention_out_bound(1.0, score, a);
    INFO(score << " " << a.head_dim << " " << a.tokens);
    CHECK(first <= 0x1p-10);
    CHECK(bound > first * (1 - 0x1p-40));
    CHECK(bound <= first * higher_orders);
  }
}

TEST_CASE("a sum that may be off by itself has no bound, and one that may be off by less has", "[attention_error]") {
  // exp(e) alone: with e up to log 2 the sum is off by less than itself.
  AttentionArithmetic const one{1, 1, 1, 0.0};
  double const score = std::log(2.0) / (8 * u);
  for (double const below : {0.99, 0.9999}) {
    CHECK(std::isfinite(attention_out_bound(1.0, below * score, one)));
    CHECK(std::isfinite(attention_lse_bound(1.0, below * score, one)));
  }
  CHECK(std::isinf(attention_out_bound(1.0, 1.0001 * score, one)));
  CHECK(std::isinf(attention_lse_bound(1.0, 1.0001 * score, one)));
}

TEST_CASE("the bounds grow with every cause of error and vanish with the magnitude", "[attention_error]") {
  AttentionArithmetic const base{64, 32, 1, function_error};
  double const bound = attention_out_bound(1.0, 4.0, base);
  CHECK(attention_out_bound(2.0, 4.0, base) == 2 * bound);
  CHECK(attention_out_bound(1.0, 8.0, base) > bound);
  CHECK(attention_out_bound(1.0, 4.0, {128, 32, 1, function_error}) > bound);
  CHECK(attention_out_bound(1.0, 4.0, {64, 64, 1, function_error}) > bound);
  CHECK(attention_out_bound(1.0, 4.0, {64, 32, 2, function_error}) > bound);
  CHECK(attention_out_bound(1.0, 4.0, {64, 32, 1, 2 * function_error}) > bound);
  CHECK(attention_out_bound(0.0, 4.0, base) == 0.0);
  CHECK(attention_lse_bound(5.0, 4.0, base) > attention_lse_bound(1.0, 4.0, base));
  CHECK(std::isinf(attention_out_bound(1.0, 1e9, base)));
}
