// The attention output of an fp8 run is where a bfloat16 run says it must be. With o_proj zero in all layers but one, the queries, keys and
// values of the layers up to that one are the same bits in both runs, so what the cache's rounding may do to the output has a bound:
// with |k' - k| <= e_k and |v' - v| <= e_v (e4m3's envelope), every score moves by at most d = max_t sum |q| e_k * softmax_scale, every
// weight by a factor within exp(+-2 d), and the output by at most sum p (exp(2 d) e_v + (exp(2 d) - 1) |v - out|). Truth is float64 over
// the bfloat16 run's pages; float32 adds at most (tokens + head_dim + 8) roundings of 2^-24 of the magnitudes that are summed.
#include <cmath>

#include "oracle/attention/attention.h"
#include "oracle/bound/envelope.h"
#include "properties/generators/attention_trace.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr std::int32_t layers = 3;
constexpr std::int64_t prompt_tokens = 70;  // past one tile, five blocks

struct Problem {
  oracle::AttentionProblem attention;
  engine::KvScales scales;

  std::size_t kv_index(std::int64_t token, std::int64_t head, std::int64_t lane) const {
    return static_cast<std::size_t>((token * attention.kv_heads + head) * attention.head_dim + lane);
  }
  std::int64_t first_token(std::int64_t row) const {
    return attention.window_tokens > 0 ? std::max<std::int64_t>(0, row - attention.window_tokens + 1) : 0;
  }
};

// The largest move of any visible score of this row and head, over all tokens.
double score_move(const Problem& problem, std::int64_t row, std::int64_t q_head, std::int64_t kv_head) {
  auto const& a = problem.attention;
  double largest = 0;
  for (std::int64_t t = problem.first_token(row); t <= row; ++t) {
    double sum = 0;
    for (std::int64_t lane = 0; lane < a.head_dim; ++lane) {
      double const q = std::fabs(static_cast<double>(a.q[static_cast<std::size_t>((row * a.q_heads + q_head) * a.head_dim + lane)]));
      sum += q * oracle::sharp_bound(static_cast<double>(a.k[problem.kv_index(t, kv_head, lane)]), problem.scales.k);
    }
    largest = std::max(largest, sum * a.softmax_scale);
  }
  return largest;
}

std::vector<double> weights_of(const Problem& problem, std::int64_t row, std::int64_t q_head, std::int64_t kv_head, double lse) {
  auto const& a = problem.attention;
  std::vector<double> weights;
  for (std::int64_t t = problem.first_token(row); t <= row; ++t) {
    double dot = 0;
    for (std::int64_t lane = 0; lane < a.head_dim; ++lane) {
      dot += static_cast<double>(a.q[static_cast<std::size_t>((row * a.q_heads + q_head) * a.head_dim + lane)]) *
             static_cast<double>(a.k[problem.kv_index(t, kv_head, lane)]);
    }
    weights.push_back(std::exp(dot * a.softmax_scale - lse));
  }
  return weights;
}

struct Row {
  std::int64_t row;
  std::int64_t q_head;
  std::int64_t kv_head;
  double move;
  std::vector<double> weights;
};

double bound_of(const Problem& problem, const Row& row, std::int64_t lane, double out, double magnitude, double score_magnitude) {
  double const swell = std::exp(2.0 * row.move);
  double bound = 0;
  for (std::size_t i = 0; i < row.weights.size(); ++i) {
    std::int64_t const t = problem.first_token(row.row) + static_cast<std::int64_t>(i);
    auto const v = static_cast<double>(problem.attention.v[problem.kv_index(t, row.kv_head, lane)]);
    bound += row.weights[i] * (swell * oracle::sharp_bound(v, problem.scales.v) + (swell - 1.0) * std::fabs(v - out));
  }
  double const roundings = static_cast<double>(problem.attention.head_dim + static_cast<std::int64_t>(row.weights.size()) + 8);
  return bound + roundings * 0x1p-24 * (1.0 + score_magnitude) * 2.0 * swell * magnitude;
}

void check_layer(const Problem& problem, std::span<const float> observed, const std::string& inputs, Tally& tally) {
  auto const& a = problem.attention;
  auto const truth = oracle::attention(a);
  for (std::int64_t r = 0; r < a.rows; ++r) {
    for (std::int64_t h = 0; h < a.q_heads; ++h) {
      std::int64_t const kv_head = oracle::kv_head_of(h, a.q_heads, a.kv_heads);
      auto const at_row = static_cast<std::size_t>(r * a.q_heads + h);
      Row const row{r, h, kv_head, score_move(problem, r, h, kv_head), weights_of(problem, r, h, kv_head, truth.lse[at_row])};
      for (std::int64_t lane = 0; lane < a.head_dim; ++lane) {
        auto const at = at_row * static_cast<std::size_t>(a.head_dim) + static_cast<std::size_t>(lane);
        double const bound = bound_of(problem, row, lane, truth.out[at], truth.out_magnitude[at], truth.score_magnitude[at_row]);
        double k_mean = 0;  // what this lane would be if V were served from K's page
        for (std::size_t i = 0; i < row.weights.size(); ++i) {
          k_mean += row.weights[i] *
                    static_cast<double>(a.k[problem.kv_index(problem.first_token(r) + static_cast<std::int64_t>(i), kv_head, lane)]);
        }
        tally.signal("read/v_from_k_page",
                     std::fabs(k_mean * static_cast<double>(problem.scales.v / problem.scales.k) - truth.out[at]) / bound);
        tally.signal("read/v_scale_dropped",
                     std::fabs(1.0 / static_cast<double>(problem.scales.v) - 1.0) * std::fabs(truth.out[at]) / bound);
        tally.count("outputs");
        if (tally.within(std::fabs(static_cast<double>(observed[at]) - truth.out[at]), bound)) {
          tally.witness({inputs + " row " + std::to_string(r) + " head " + std::to_string(h) + " lane " + std::to_string(lane),
                         "scores may move by " + std::to_string(row.move), std::to_string(observed[at]), std::to_string(truth.out[at])});
        }
      }
    }
  }
}

void check_kept_layer(Family family, std::int32_t kept, Tally& tally) {
  CheckpointOptions options;
  options.family = family;
  options.layers = layers;
  options.zero_o_proj = true;
  options.keep_o_proj_of_layer = kept;
  options.k_magnitude = 1.0F;
  options.v_magnitude = 4.0F;
  options.k_scales = {0.06F, 0.11F, 0.03F};
  options.v_scales = {0.35F, 0.22F, 0.17F};
  if (family == Family::mistral) options.windows = {24, 24, 24};
  CheckpointDir const dir(options);
  auto const fp8 = trace_attention(dir, "fp8", options, prompt_tokens, 1);
  auto bf16 = trace_attention(dir, "bfloat16", options, prompt_tokens, 1);
  for (std::int32_t i = 0; i <= kept; ++i) {
    auto const at = static_cast<std::size_t>(i);
    auto const& layer = bf16.engine.front().cache().layer(at);
    auto const k = decoded_side(layer.k, prompt_tokens);
    auto const v = decoded_side(layer.v, prompt_tokens);
    Problem const problem{{bf16.layers[at].q, k, v, prompt_tokens, prompt_tokens, options.q_heads, options.kv_heads, options.head_dim, 0,
                           family == Family::mistral ? 24 : 0, 1.0 / std::sqrt(static_cast<double>(options.head_dim)), 1.0, 1.0},
                          {*options.k_scales[at], *options.v_scales[at]}};
    check_layer(problem, fp8.layers[at].out,
                std::string(family_name(family)) + ", o_proj of layer " + std::to_string(kept) + ", layer " + std::to_string(i), tally);
  }
}

}  // namespace

LawVerdict attention_matches_bf16_run() {
  Law law{"attention_matches_bf16_run", "cpu",
          "e4m3's envelope of K and V through one softmax: sum p (exp(2d) e_v + (exp(2d) - 1) |v - out|), and float32's roundings"};
  law.floors = {{"outputs", 50000}};
  law.separates = {"read/v_from_k_page", "read/v_scale_dropped"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (std::int32_t kept = 0; kept < layers; ++kept) check_kept_layer(Family::llama, kept, tally);
    for (auto const family : {Family::qwen2, Family::qwen3, Family::mistral}) check_kept_layer(family, layers - 1, tally);
  });
}

}  // namespace redproof::properties
