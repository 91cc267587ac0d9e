#include "oracle/attention/attention.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace redproof::oracle {
namespace {

struct Row {
  std::int64_t index;
  std::int64_t head;
  std::int64_t kv_head;
  std::int64_t first;  // first position seen
  std::int64_t last;   // last one, its own
};

std::int64_t size_of(std::span<const float> values) { return std::ssize(values); }

void require_shapes(const AttentionProblem& p) {
  bool const positive = p.rows > 0 && p.q_heads > 0 && p.kv_heads > 0 && p.head_dim > 0 && p.first_position >= 0 && p.window_tokens >= 0;
  if (!positive || p.q_heads % p.kv_heads != 0 || p.tokens < p.first_position + p.rows) {
    throw std::invalid_argument("attention: shape");
  }
  std::int64_t const kv_size = p.tokens * p.kv_heads * p.head_dim;
  if (size_of(p.q) != p.rows * p.q_heads * p.head_dim || size_of(p.k) != kv_size || size_of(p.v) != kv_size) {
    throw std::invalid_argument("attention: size of q, k or v");
  }
}

Row row_of(const AttentionProblem& p, std::int64_t index, std::int64_t head) {
  std::int64_t const last = p.first_position + index;
  std::int64_t const first = p.window_tokens == 0 ? 0 : std::max<std::int64_t>(0, last - (p.window_tokens - 1));
  return {index, head, kv_head_of(head, p.q_heads, p.kv_heads), first, last};
}

// Scores of the positions seen; `magnitude` gets the largest sum of |q k|, scaled alike.
std::vector<long double> scores_of(const AttentionProblem& p, const Row& row, long double& magnitude) {
  auto const q = p.q.subspan(static_cast<std::size_t>((row.index * p.q_heads + row.head) * p.head_dim));
  long double const scale = static_cast<long double>(p.softmax_scale) * p.k_scale;
  std::vector<long double> scores;
  for (std::int64_t position = row.first; position <= row.last; ++position) {
    auto const k = p.k.subspan(static_cast<std::size_t>((position * p.kv_heads + row.kv_head) * p.head_dim));
    long double sum = 0;
    long double size = 0;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(p.head_dim); ++lane) {
      long double const product = static_cast<long double>(q[lane]) * k[lane];
      sum += product;
      size += std::abs(product);
    }
    scores.push_back(sum * scale);
    magnitude = std::max(magnitude, size * std::abs(scale));
  }
  return scores;
}

void weigh_values(const AttentionProblem& p, const Row& row, const std::vector<long double>& weights, long double total,
                  AttentionTruth& truth) {
  auto const out = static_cast<std::size_t>((row.index * p.q_heads + row.head) * p.head_dim);
  for (std::int64_t lane = 0; lane < p.head_dim; ++lane) {
    long double sum = 0;
    long double size = 0;
    for (std::int64_t position = row.first; position <= row.last; ++position) {
      long double const v = p.v[static_cast<std::size_t>((position * p.kv_heads + row.kv_head) * p.head_dim + lane)];
      long double const weighted = weights[static_cast<std::size_t>(position - row.first)] * v;
      sum += weighted;
      size += std::abs(weighted);
    }
    truth.out[out + static_cast<std::size_t>(lane)] = static_cast<double>(sum / total * p.v_scale);
    truth.out_magnitude[out + static_cast<std::size_t>(lane)] = static_cast<double>(size / total * std::abs(p.v_scale));
  }
}

void attend_row(const AttentionProblem& p, const Row& row, AttentionTruth& truth) {
  long double magnitude = 0;
  auto weights = scores_of(p, row, magnitude);
  long double const top = *std::max_element(weights.begin(), weights.end());
  long double total = 0;
  for (auto& weight : weights) {
    weight = std::exp(weight - top);
    total += weight;
  }
  auto const at = static_cast<std::size_t>(row.index * p.q_heads + row.head);
  truth.lse[at] = static_cast<double>(std::log(total) + top);
  truth.score_magnitude[at] = static_cast<double>(magnitude);
  weigh_values(p, row, weights, total, truth);
}

}  // namespace

std::int64_t kv_head_of(std::int64_t q_head, std::int64_t q_heads, std::int64_t kv_heads) {
  std::int64_t const group = q_heads / kv_heads;
  std::int64_t kv_head = 0;
  for (std::int64_t first_of_next = group; first_of_next <= q_head; first_of_next += group) ++kv_head;
  return kv_head;
}

AttentionTruth attention(const AttentionProblem& problem) {
  require_shapes(problem);
  auto const row_heads = static_cast<std::size_t>(problem.rows * problem.q_heads);
  auto const elements = row_heads * static_cast<std::size_t>(problem.head_dim);
  AttentionTruth truth{std::vector<double>(elements), std::vector<double>(row_heads), std::vector<double>(elements),
                       std::vector<double>(row_heads)};
  for (std::int64_t index = 0; index < problem.rows; ++index) {
    for (std::int64_t head = 0; head < problem.q_heads; ++head) attend_row(problem, row_of(problem, index, head), truth);
  }
  return truth;
}

}  // namespace redproof::oracle
