#include "oracle/attention/attention.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/catch.h"
#include "tests/oracle/disagreements.h"

using namespace redproof::oracle;

namespace {

struct Fixture {
  std::vector<float> q, k, v;
  AttentionProblem problem;
};

std::vector<float> values(Bits& bits, std::int64_t count) {
  std::vector<float> filled(static_cast<std::size_t>(count));
  for (auto& value : filled) value = static_cast<float>(static_cast<int>(bits.next() % 257) - 128) / 64.0F;
  return filled;
}

Fixture fixture(std::int64_t rows, std::int64_t first_position, std::int64_t window) {
  Bits bits{11};
  std::int64_t const q_heads = 6, kv_heads = 2, head_dim = 5, tokens = first_position + rows + 2;
  Fixture made{
      values(bits, rows * q_heads * head_dim), values(bits, tokens * kv_heads * head_dim), values(bits, tokens * kv_heads * head_dim), {}};
  made.problem = {made.q, made.k, made.v, rows, tokens, q_heads, kv_heads, head_dim, first_position, window, 0.5, 0.25, 2.0};
  return made;
}

double at(const std::vector<float>& tensor, std::int64_t heads, std::int64_t row, std::int64_t head, std::int64_t lane) {
  return tensor[static_cast<std::size_t>((row * heads + head) * 5 + lane)];
}

// The definition once more, crudely: plain exponentials, no maximum taken off, scales folded into K and V.
double crude_out(const Fixture& f, std::int64_t row, std::int64_t head, std::int64_t lane) {
  auto const& p = f.problem;
  std::int64_t const kv_head = head < 3 ? 0 : 1;
  double total = 0;
  double sum = 0;
  for (std::int64_t position = 0; position < p.tokens; ++position) {
    std::int64_t const age = p.first_position + row - position;
    if (age < 0 || (p.window_tokens != 0 && age >= p.window_tokens)) continue;
    double score = 0;
    for (std::int64_t i = 0; i < 5; ++i) score += at(f.q, 6, row, head, i) * (at(f.k, 2, position, kv_head, i) * p.k_scale);
    double const weight = std::exp(score * p.softmax_scale);
    total += weight;
    sum += weight * (at(f.v, 2, position, kv_head, lane) * p.v_scale);
  }
  return sum / total;
}

}  // namespace

TEST_CASE("attention is the weighted mean that its definition says, with and without a window", "[attention]") {
  for (std::int64_t const window : {0, 1, 3, 4, 100}) {
    auto const f = fixture(4, 3, window);
    auto const truth = attention(f.problem);
    for (std::int64_t row = 0; row < 4; ++row) {
      for (std::int64_t head = 0; head < 6; ++head) {
        for (std::int64_t lane = 0; lane < 5; ++lane) {
          auto const index = static_cast<std::size_t>((row * 6 + head) * 5 + lane);
          CHECK(std::abs(truth.out[index] - crude_out(f, row, head, lane)) <= 1e-14 * truth.out_magnitude[index]);
        }
      }
    }
  }
}

TEST_CASE("a window of one token gives the value itself and its score", "[attention]") {
  auto const f = fixture(2, 5, 1);
  auto const truth = attention(f.problem);
  for (std::int64_t head = 0; head < 6; ++head) {
    double score = 0;
    for (std::int64_t lane = 0; lane < 5; ++lane) {
      CHECK(truth.out[static_cast<std::size_t>(head * 5 + lane)] == at(f.v, 2, 5, head / 3, lane) * 2.0);
      score += at(f.q, 6, 0, head, lane) * at(f.k, 2, 5, head / 3, lane);
    }
    CHECK(truth.lse[static_cast<std::size_t>(head)] == Approx(score * 0.125).epsilon(1e-15));
  }
}

TEST_CASE("positions after a row's own and before its window change nothing", "[attention]") {
  auto f = fixture(3, 4, 3);
  auto const before = attention(f.problem);
  for (std::size_t lane = 0; lane < 10; ++lane) {
    f.k[lane] = f.v[lane] = 1e30F;                            // position 0: before every window
    f.k[7 * 10 + lane] = f.v[7 * 10 + lane] = std::nanf("");  // position 7: after the last row
  }
  f.problem.k = f.k;
  f.problem.v = f.v;
  CHECK(attention(f.problem).out == before.out);
  CHECK(attention(f.problem).lse == before.lse);
}

TEST_CASE("scores too large for exp alone still give finite weights", "[attention]") {
  auto f = fixture(1, 3, 0);
  f.problem.k_scale = 1e6;
  auto const truth = attention(f.problem);
  for (double const out : truth.out) CHECK(std::isfinite(out));
  for (double const lse : truth.lse) CHECK(std::isfinite(lse));
}

TEST_CASE("the scale of V is a factor of the output and the scale of K is a factor of the scores", "[attention]") {
  auto const f = fixture(2, 2, 0);
  auto const base = attention(f.problem);
  auto scaled = f.problem;
  scaled.v_scale *= 4;
  auto const four = attention(scaled);
  for (std::size_t i = 0; i < base.out.size(); ++i) CHECK(four.out[i] == 4 * base.out[i]);
  scaled = f.problem;
  scaled.k_scale *= 4;
  scaled.softmax_scale /= 4;
  CHECK(attention(scaled).out == base.out);
}

TEST_CASE("consecutive query heads share a KV head", "[attention]") {
  for (std::int64_t head = 0; head < 12; ++head) CHECK(kv_head_of(head, 12, 3) == head / 4);
  CHECK(kv_head_of(5, 6, 6) == 5);
  CHECK(kv_head_of(5, 6, 1) == 0);
}

TEST_CASE("shapes that disagree are refused", "[attention]") {
  auto const f = fixture(2, 2, 0);
  auto wrong = f.problem;
  wrong.kv_heads = 4;
  CHECK_THROWS_AS(attention(wrong), std::invalid_argument);
  wrong = f.problem;
  wrong.tokens = 3;
  CHECK_THROWS_AS(attention(wrong), std::invalid_argument);
  wrong = f.problem;
  wrong.q = wrong.q.first(5);
  CHECK_THROWS_AS(attention(wrong), std::invalid_argument);
}
