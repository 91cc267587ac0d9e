#include "tests/engine/attention/attention_fixture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "engine/kv/slots.h"
#include "engine/kv/store.h"
#include "tests/engine/bits/e4m3_truth.h"

namespace redproof::engine::fixture {

AttentionCase::AttentionCase(const LayerShape& shape, std::int32_t heads, std::vector<std::int64_t> lengths, std::uint64_t seed)
    : memory(shape), q_heads(heads) {
  Numbers numbers(seed);
  const std::vector<std::int32_t> blocks = numbers.permutation(static_cast<std::int32_t>(shape.pages));
  auto next = blocks.begin();
  std::int64_t rows = 0;
  for (const std::int64_t length : lengths) {
    const std::ptrdiff_t count = (length + shape.block_tokens - 1) / shape.block_tokens;
    owners.push_back({rows, length, {next, next + count}});
    next += count;
    const auto elements = static_cast<std::size_t>(length * shape.kv_heads * shape.head_dim);
    const std::vector<float> k = numbers.floats(elements, 2.0F);
    const std::vector<float> v = numbers.floats(elements, 30.0F);
    std::vector<std::int64_t> slots(static_cast<std::size_t>(length));
    for (std::int64_t p = 0; p < length; ++p) slots[static_cast<std::size_t>(p)] = slot_of(owners.back().table, p, shape.block_tokens);
    store_kv({k.data(), DType::f32}, {v.data(), DType::f32}, slots, memory.layer, {CpuIsa::scalar, 1});
    rows += length;
  }
  const auto elements = static_cast<std::size_t>(rows * q_heads);
  q = numbers.floats(elements * static_cast<std::size_t>(shape.head_dim), 2.0F);
  out.assign(q.size(), NAN);
  lse.assign(elements, NAN);
}

AttentionCall AttentionCase::call(std::vector<AttentionSequence> rows) {
  sequences_ = std::move(rows);
  return {q.data(), out.data(), lse.data(), q_heads, softmax_scale, sequences_};
}

AttentionCall AttentionCase::call_of_last(std::int64_t rows) {
  std::vector<AttentionSequence> last;
  for (const Owner& owner : owners) {
    const std::int64_t count = std::min(rows, owner.length);
    last.push_back({owner.first_row + owner.length - count, count, owner.length - count, owner.table});
  }
  return call(std::move(last));
}

AttentionCall AttentionCase::call_of_chunk(std::size_t sequence, std::int64_t first, std::int64_t rows) {
  const Owner& owner = owners[sequence];
  return call({{owner.first_row + first, rows, first, owner.table}});
}

double held(const KvPages& pages, const AttentionCase::Owner& owner, std::int64_t position, std::int64_t head, std::int64_t lane) {
  const std::int64_t page = owner.table[static_cast<std::size_t>(position / pages.block_tokens)];
  const std::uint32_t bits = element_bits(pages, page, position % pages.block_tokens, head, lane);
  return pages.storage == KvStorage::bfloat16 ? static_cast<double>(std::bit_cast<float>(bits << 16))
                                              : truth::value_of(static_cast<std::uint8_t>(bits));
}

namespace {

constexpr double u = 0x1p-24;  // half an ulp of float32 at 1

struct ScoreTruth {
  double score;
  double bound;
};

// A dot product of n terms in 8 lanes rounds at most n / 8 + 5 times on any path (product, lane additions, tree of three); then two
// roundings of the scale, one of the product with it. Each is at most u relative to the sum of magnitudes.
ScoreTruth score_of(const AttentionCase& a, const AttentionCase::Owner& owner, std::int64_t row, std::int32_t q_head,
                    std::int64_t position) {
  const KvLayer& layer = a.memory.layer;
  const std::int32_t head_dim = layer.spec.head_dim;
  const std::int32_t kv_head = q_head / (a.q_heads / layer.spec.kv_heads);
  const double scale = double{softmax_scale} * (layer.spec.storage == KvStorage::fp8_e4m3 ? layer.scales.k : 1.0F);
  double sum = 0;
  double magnitude = 0;
  for (std::int32_t lane = 0; lane < head_dim; ++lane) {
    const double product =
        double{a.q[static_cast<std::size_t>((row * a.q_heads + q_head) * head_dim + lane)]} * held(layer.k, owner, position, kv_head, lane);
    sum += product;
    magnitude += std::fabs(product);
  }
  return {sum * scale, 1.01 * u * (head_dim / 8.0 + 8) * magnitude * scale};
}

}  // namespace

// A weight exp(score - max) is off by a factor of at most exp(2 * score bound + u * |score - max|) and 3 u of exp itself, whose later
// correction (one more exp, one product) happens once a tile; a sum of n weights or products adds n u. Numerator and denominator both
// stray, so the output strays by twice that, relative to the weighted mean of |v|, and three roundings more.
RowTruth truth_of(const AttentionCase& a, const AttentionCase::Owner& owner, std::int64_t position, std::int32_t q_head) {
  const KvLayer& layer = a.memory.layer;
  const std::int64_t window = layer.spec.window_tokens;
  const std::int32_t kv_head = q_head / (a.q_heads / layer.spec.kv_heads);
  const double v_scale = layer.spec.storage == KvStorage::fp8_e4m3 ? layer.scales.v : 1.0F;
  std::vector<std::int64_t> visible;
  for (std::int64_t p = 0; p <= position; ++p) {
    if (window == 0 || position - p < window) visible.push_back(p);
  }
  std::vector<ScoreTruth> scores;
  for (const std::int64_t p : visible) scores.push_back(score_of(a, owner, owner.first_row + position, q_head, p));
  double max = -INFINITY;
  double min = INFINITY;
  double stray = 0;
  for (const ScoreTruth& score : scores) {
    max = std::max(max, score.score);
    min = std::min(min, score.score);
    stray = std::max(stray, score.bound);
  }
  const double tiles = static_cast<double>(visible.size()) / 64 + 2;
  const double relative = std::expm1(2 * stray + u * (max - min)) + u * (3 + 5 * tiles + static_cast<double>(visible.size()));
  RowTruth truth{{}, {}, 0, 0};
  double sum = 0;
  for (const ScoreTruth& score : scores) sum += std::exp(score.score - max);
  for (std::int32_t lane = 0; lane < layer.spec.head_dim; ++lane) {
    double mean = 0;
    double magnitude = 0;
    for (std::size_t i = 0; i < visible.size(); ++i) {
      const double term = std::exp(scores[i].score - max) / sum * held(layer.v, owner, visible[i], kv_head, lane);
      mean += term;
      magnitude += std::fabs(term);
    }
    truth.out.push_back(mean * v_scale);
    truth.out_bound.push_back((2.02 * relative + 3 * u) * magnitude * v_scale);
  }
  truth.lse = max + std::log(sum);
  truth.lse_bound = stray + 1.01 * relative + 4 * u * (std::fabs(max) + std::log(sum));
  return truth;
}

}  // namespace redproof::engine::fixture
