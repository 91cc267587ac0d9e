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
