// Each attention output of a whole engine, in prefill and in decode, is float64 attention over the engine's own pages and queries, within
// float32's own roundings: the softmax scale, the mask, the window of each layer, the head map and both scales are the configuration's.
#include <cmath>

#include "oracle/attention/attention.h"
#include "oracle/bound/attention_error.h"
#include "properties/generators/attention_trace.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr std::int64_t prompt_tokens = 70;  // past one tile, five blocks
constexpr std::int64_t new_tokens = 5;

// Of an output's magnitude, at the edge of this population: scores up to 40, 64 lanes and the scale's 3 roundings, 75 tokens, 3 tiles.
constexpr double widest_bound = oracle::first_order_out_error(40.0, {64 + 3, 75, 3, 0x1p-23}) * oracle::higher_orders;

struct Shape {
  Family family;
  std::int32_t q_heads;
  std::int32_t kv_heads;
  std::int32_t head_dim;
  std::vector<std::int64_t> windows;  // [layers] or empty
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {{Family::llama, 6, 2, 20, {}},
                                         {Family::llama, 2, 1, 64, {}},
                                         {Family::qwen2, 3, 3, 20, {0, 0, 24}},
                                         {Family::qwen3, 6, 2, 20, {0, 24, 0}},
                                         {Family::mistral, 6, 2, 20, {24, 24, 24}}};
  return all;
}

CheckpointOptions options_of(const Shape& shape) {
  CheckpointOptions options;
  options.family = shape.family;
  options.q_heads = shape.q_heads;
  options.kv_heads = shape.kv_heads;
  options.head_dim = shape.head_dim;
  options.windows = shape.windows;
  options.k_magnitude = 1.0F;
  options.k_scales = {0.06F, 0.11F, 0.03F};
  options.v_scales = {0.35F, 0.22F, 0.17F};
  return options;
}

std::int64_t visible_tokens(std::int64_t position, std::int64_t window) {
  return window > 0 ? std::min(window, position + 1) : position + 1;
}

void check_layer(const oracle::AttentionProblem& problem, std::span<const float> observed, const std::string& inputs, Tally& tally) {
  auto const truth = oracle::attention(problem);
  for (std::int64_t row = 0; row < problem.rows; ++row) {
    // Three of head_dim's roundings are those of the float32 softmax scale: a root, a quotient and a product.
    std::int64_t const tokens = visible_tokens(row, problem.window_tokens);
    oracle::AttentionArithmetic const arithmetic{problem.head_dim + 3, tokens, tokens / 64 + 2, 0x1p-23};
    tally.count(row < prompt_tokens ? "prefill rows" : "decode rows");
    for (std::int64_t head = 0; head < problem.q_heads; ++head) {
      auto const at_row = static_cast<std::size_t>(row * problem.q_heads + head);
      if (!(truth.score_magnitude[at_row] <= 40.0)) continue;  // beyond the bound's premise
      tally.count("bounds");
      double const width = oracle::attention_out_bound(1.0, truth.score_magnitude[at_row], arithmetic);
      if (tally.equal(width <= widest_bound)) {
        tally.witness({inputs + " position " + std::to_string(row) + " head " + std::to_string(head),
                       std::to_string(tokens) + " visible tokens", "a bound of " + std::to_string(width) + " of the magnitude",
                       "at most " + std::to_string(widest_bound)});
      }
      for (std::int64_t lane = 0; lane < problem.head_dim; ++lane) {
        auto const at = at_row * static_cast<std::size_t>(problem.head_dim) + static_cast<std::size_t>(lane);
        double const bound = oracle::attention_out_bound(truth.out_magnitude[at], truth.score_magnitude[at_row], arithmetic);
        tally.count("outputs");
        if (tally.within(std::fabs(static_cast<double>(observed[at]) - truth.out[at]), bound)) {
          tally.witness({inputs + " position " + std::to_string(row) + " head " + std::to_string(head) + " lane " + std::to_string(lane),
                         std::to_string(tokens) + " visible tokens", std::to_string(observed[at]), std::to_string(truth.out[at])});
        }
      }
    }
  }
}

void check_run(const Shape& shape, const std::string& flag, Tally& tally) {
  auto const options = options_of(shape);
  CheckpointDir const dir(options);
  auto trace = trace_attention(dir, flag, options, prompt_tokens, new_tokens);
  bool const fp8 = flag == "fp8";
  for (std::size_t i = 0; i < trace.layers.size(); ++i) {
    auto const& layer = trace.engine.front().cache().layer(i);
    auto const k = decoded_side(layer.k, trace.tokens);
    auto const v = decoded_side(layer.v, trace.tokens);
    std::int64_t const window = shape.windows.empty() ? 0 : shape.windows[i];
    tally.count(window > 0 ? "sliding layers" : "full layers");
    oracle::AttentionProblem const problem{trace.layers[i].q,
                                           k,
                                           v,
                                           trace.tokens,
                                           trace.tokens,
                                           shape.q_heads,
                                           shape.kv_heads,
                                           shape.head_dim,
                                           0,
                                           window,
                                           1.0 / std::sqrt(static_cast<double>(shape.head_dim)),
                                           fp8 ? static_cast<double>(*options.k_scales[i]) : 1.0,
                                           fp8 ? static_cast<double>(*options.v_scales[i]) : 1.0};
    check_layer(problem, trace.layers[i].out, std::string(family_name(shape.family)) + " " + flag + ", layer " + std::to_string(i), tally);
  }
}

}  // namespace

LawVerdict attention_matches_own_pages() {
  Law law{"attention_matches_own_pages", "cpu",
          "float32's roundings through scores, weights and sums: gamma(head_dim + 5) of the score's magnitude, gamma(tokens) of the sums'"};
  law.floors = {{"outputs", 200000},  {"bounds", 8000},       {"prefill rows", 2000},
                {"decode rows", 100}, {"sliding layers", 10}, {"full layers", 18}};
  law.separates = {"attention/softmax_scale_dropped", "attention/sum_not_rescaled", "attention/padded_head_scale"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const& shape : shapes()) {
      check_run(shape, "fp8", tally);
      check_run(shape, "bfloat16", tally);
    }
  });
}

}  // namespace redproof::properties
