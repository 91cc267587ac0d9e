// One attention operation over random pages: outputs and log-sum-exps are those of float64 attention over the decoded elements, within
// float32's own roundings, on the decode and on the prefill path, over head sizes on both sides of a vector's width, head maps, windows
// and both storages, and over every number of rows up to 100. The signal of a window that is one token off is told against the bound.
#include <cmath>
#include <initializer_list>
#include <limits>

#include "oracle/address/kv_address.h"
#include "oracle/attention/attention.h"
#include "oracle/bound/attention_error.h"
#include "oracle/format.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using engine::KvStorage;

// Of an output's magnitude, and of a log-sum-exp, at the edge of this population: scores up to 40, 136 lanes, 150 tokens, 4 tiles.
constexpr double widest_bound = oracle::first_order_out_error(40.0, {136, 150, 4, 0x1p-23}) * oracle::higher_orders;

struct Case {
  KvStorage storage;
  std::int32_t q_heads;
  std::int32_t kv_heads;
  std::int32_t head_dim;
  std::int64_t window_tokens;
  std::int64_t tokens;
  AttentionPath path = AttentionPath::decode;
};

// A code of moderate exponent, so that scores stay where every weight is a normal float32.
std::uint64_t moderate_code(KvStorage storage, std::uint64_t random) {
  if (storage == KvStorage::bfloat16) return (random & 0x807F) | (122 + random % 5) << 7;
  return (random & 0x87) | (5 + random % 5) << 3;
}

// Pages and queries of a case, with what the pages decode to.
struct Problem {
  KvFixture fixture;
  std::vector<std::int32_t> table;
  std::vector<float> q;  // [tokens, q_heads, head_dim]
  std::vector<float> k;  // [tokens, kv_heads, head_dim], decoded
  std::vector<float> v;

  Problem(const KvShape& shape, const Case& one, std::uint64_t seed) : fixture(shape, 0xFF) {
    for (auto const page : permutation(shape.pages, seed)) table.push_back(static_cast<std::int32_t>(page));
    auto const& format = one.storage == KvStorage::fp8_e4m3 ? oracle::e4m3fn : oracle::bf16;
    for (auto const& slot : oracle::slots_of_sequence(table, one.tokens, shape.block_tokens)) {
      for (std::int32_t head = 0; head < one.kv_heads; ++head) {
        for (std::int32_t lane = 0; lane < one.head_dim; ++lane) {
          engine::KvCoordinate const at{slot.page, static_cast<std::int32_t>(slot.slot_in_page), head, lane};
          for (auto* const side : {&k, &v}) {
            auto const code = moderate_code(one.storage, next_bits(seed));
            fixture.set_bits(side == &v, at, code);
            side->push_back(static_cast<float>(oracle::value_of(format, static_cast<std::uint32_t>(code))));
          }
        }
      }
    }
    for (std::int64_t i = 0; i < one.tokens * one.q_heads * one.head_dim; ++i) {
      q.push_back(static_cast<float>(static_cast<std::int64_t>(next_bits(seed) % 4097) - 2048) / 512.0F);
    }
  }
};

KvShape shape_of(const Case& one) {
  KvShape shape;
  shape.storage = one.storage;
  shape.kv_heads = one.kv_heads;
  shape.head_dim = one.head_dim;
  shape.window_tokens = one.window_tokens;
  shape.pages = one.tokens / shape.block_tokens + 3;
  shape.scales = {0.06F, 1.75F};
  return shape;
}

struct Observed {
  std::vector<float> out;
  std::vector<float> lse;
};

Observed observe(const KvSubject& subject, const Case& one, const Problem& problem, float softmax_scale) {
  constexpr float missing = std::numeric_limits<float>::quiet_NaN();
  Observed observed{std::vector<float>(problem.q.size(), missing),
                    std::vector<float>(static_cast<std::size_t>(one.tokens * one.q_heads), missing)};
  std::vector<engine::AttentionSequence> sequences;
  if (one.path == AttentionPath::prefill) sequences.push_back({0, one.tokens, 0, problem.table});
  for (std::int64_t p = 0; one.path == AttentionPath::decode && p < one.tokens; ++p) sequences.push_back({p, 1, p, problem.table});
  subject.attend({problem.q.data(), observed.out.data(), observed.lse.data(), one.q_heads, softmax_scale, sequences},
                 problem.fixture.layer);
  return observed;
}

std::string describe(const Case& one) {
  return std::string(one.storage == KvStorage::fp8_e4m3 ? "fp8" : "bfloat16") + ", " +
         (one.path == AttentionPath::decode ? "decode" : "prefill") + ", " + std::to_string(one.q_heads) + " / " +
         std::to_string(one.kv_heads) + " heads of " + std::to_string(one.head_dim) + ", window " + std::to_string(one.window_tokens) +
         ", " + std::to_string(one.tokens) + " tokens";
}

void check_width(double bound, const std::string& where, const Case& one, Tally& tally) {
  tally.count("bounds");
  if (tally.equal(bound <= widest_bound)) {
    tally.witness({where, describe(one), "a bound of " + std::to_string(bound), "at most " + std::to_string(widest_bound)});
  }
}

void check_row(const Case& one, const oracle::AttentionTruth& truth, const oracle::AttentionTruth& wider, const Observed& observed,
               std::size_t row, Tally& tally) {
  std::int64_t const position = static_cast<std::int64_t>(row) / one.q_heads;
  std::int64_t const tokens = one.window_tokens > 0 ? std::min(one.window_tokens, position + 1) : position + 1;
  oracle::AttentionArithmetic const arithmetic{one.head_dim, tokens, tokens / 64 + 2, 0x1p-23};
  if (!(truth.score_magnitude[row] <= 40.0)) return;
  std::string const where =
      "position " + std::to_string(position) + " head " + std::to_string(static_cast<std::int64_t>(row) % one.q_heads);
  double const lse_bound = oracle::attention_lse_bound(truth.lse[row], truth.score_magnitude[row], arithmetic);
  check_width(lse_bound, where + ", log-sum-exp", one, tally);
  check_width(oracle::attention_out_bound(1.0, truth.score_magnitude[row], arithmetic), where + ", outputs of magnitude 1", one, tally);
  tally.count("log-sum-exps");
  if (tally.within(std::fabs(static_cast<double>(observed.lse[row]) - truth.lse[row]), lse_bound)) {
    tally.witness({where + ", log-sum-exp", describe(one), std::to_string(observed.lse[row]), std::to_string(truth.lse[row])});
  }
  for (std::int32_t lane = 0; lane < one.head_dim; ++lane) {
    std::size_t const at = row * static_cast<std::size_t>(one.head_dim) + static_cast<std::size_t>(lane);
    double const bound = oracle::attention_out_bound(truth.out_magnitude[at], truth.score_magnitude[row], arithmetic);
    tally.count(tokens > 64 ? "outputs past one tile" : "outputs of at most 64 tokens");
    if (tokens > 64 && lane >= 64) tally.count("lanes past 64, past one tile");
    tally.signal("read/window_off_by_one", std::fabs(wider.out[at] - truth.out[at]) / bound);
    if (tally.within(std::fabs(static_cast<double>(observed.out[at]) - truth.out[at]), bound)) {
      tally.witness(
          {where + " lane " + std::to_string(lane), describe(one), std::to_string(observed.out[at]), std::to_string(truth.out[at])});
    }
  }
}

void check_case(const KvSubject& subject, Case one, std::initializer_list<AttentionPath> paths, std::uint64_t seed, Tally& tally) {
  auto const shape = shape_of(one);
  Problem const problem(shape, one, seed);
  float const softmax_scale = 1.0F / std::sqrt(static_cast<float>(one.head_dim));
  bool const fp8 = one.storage == KvStorage::fp8_e4m3;
  oracle::AttentionProblem truth{problem.q,
                                 problem.k,
                                 problem.v,
                                 one.tokens,
                                 one.tokens,
                                 one.q_heads,
                                 one.kv_heads,
                                 one.head_dim,
                                 0,
                                 one.window_tokens,
                                 static_cast<double>(softmax_scale),
                                 fp8 ? static_cast<double>(shape.scales.k) : 1.0,
                                 fp8 ? static_cast<double>(shape.scales.v) : 1.0};
  auto wider = truth;
  if (one.window_tokens > 0) wider.window_tokens += 1;
  auto const right = oracle::attention(truth);
  auto const wrong = one.window_tokens > 0 ? oracle::attention(wider) : right;
  for (AttentionPath const path : paths) {
    one.path = path;
    auto const observed = observe(subject, one, problem, softmax_scale);
    for (std::size_t row = 0; row < observed.lse.size(); ++row) check_row(one, right, wrong, observed, row, tally);
  }
}

}  // namespace

LawVerdict attention_is_near_truth(const KvSubject& subject) {
  Law law{"attention_is_near_truth", subject.name,
          "float32's roundings through scores, weights and sums: gamma(head_dim + 5) of the score's magnitude, gamma(tokens) of the sums'"};
  law.cases = 2;
  law.floors = {{"outputs of at most 64 tokens", 100000},
                {"outputs past one tile", 20000},
                {"lanes past 64, past one tile", 20000},
                {"log-sum-exps", 5000},
                {"bounds", 10000},
                {"numbers of rows", 100}};
  law.separates = {"read/window_off_by_one",
                   "attention/sum_not_rescaled",
                   "attention/lse_base_2",
                   "attention/wide_column_lanes",
                   "attention/second_column_not_rescaled",
                   "attention/last_row_lost",
                   "read/group_of_8"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    auto const tokens = draw.integer("tokens", 20, 60);
    auto const seed = draw.bits("elements");
    auto const both = {AttentionPath::decode, AttentionPath::prefill};
    for (auto const storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
      check_case(subject, {storage, 6, 2, 20, 0, tokens}, both, seed, tally);
      check_case(subject, {storage, 3, 1, 64, 17, tokens}, both, seed, tally);
      check_case(subject, {storage, 2, 2, 136, 0, tokens}, both, seed, tally);
    }
    check_case(subject, {KvStorage::fp8_e4m3, 4, 2, 20, 0, 150}, both, seed, tally);
    check_case(subject, {KvStorage::fp8_e4m3, 4, 2, 64, 70, 150}, both, seed, tally);
    check_case(subject, {KvStorage::fp8_e4m3, 1, 1, 136, 0, 150}, both, seed, tally);
    check_case(subject, {KvStorage::fp8_e4m3, 12, 1, 4, 0, tokens}, both, seed, tally);
    for (std::int64_t rows = 1; rows <= 100; ++rows) {
      tally.count("numbers of rows");
      check_case(subject, {KvStorage::fp8_e4m3, 1, 1, 4, 0, rows}, {AttentionPath::prefill}, seed, tally);
    }
  });
}

}  // namespace redproof::properties
