// In every pass the observers are called once a layer, in order, after the store and after attention; the queries and outputs that they see
// are those of the prompts of that pass, row by row and bit by bit as each prompt alone shows them. So it is known which tokens each pass
// runs: prompts in order, as many tokens as a chunk holds, then one token of every live prompt in order before any has a second.
#include <algorithm>
#include <cstring>

#include "properties/generators/engine_fixture.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using Prompts = std::vector<std::vector<std::int32_t>>;

constexpr std::int64_t new_tokens = 4;

struct Call {
  std::int32_t layer;
  bool stored;           // after_store; else after_attention
  std::vector<float> q;  // [rows, q_heads * head_dim]
  std::vector<float> out;
};

std::vector<Call> calls_of(const CheckpointDir& dir, const Prompts& prompts, std::int64_t chunk_tokens) {
  std::vector<Call> calls;
  auto load = engine_options(dir.path(), "fp8");
  load.chunk_tokens = chunk_tokens;
  load.observers.after_store = [&](std::int32_t layer, engine::KvLayer&) { calls.push_back({layer, true, {}, {}}); };
  load.observers.after_attention = [&](std::int32_t layer, std::span<const float> q, std::span<const float> out) {
    calls.push_back({layer, false, {q.begin(), q.end()}, {out.begin(), out.end()}});
  };
  auto engine = engine::Engine::load(load);
  engine.generate(prompts, new_tokens, false, true);
  return calls;
}

// What each prompt shows alone: [prompts][layers], rows in the order of positions.
using Alone = std::vector<std::vector<Call>>;

Alone alone_of(const CheckpointDir& dir, const CheckpointOptions& options, const Prompts& prompts) {
  Alone alone;
  for (auto const& prompt : prompts) {
    auto& layers = alone.emplace_back(static_cast<std::size_t>(options.layers));
    for (auto const& call : calls_of(dir, {prompt}, 512)) {
      auto& layer = layers.at(static_cast<std::size_t>(call.layer));
      layer.q.insert(layer.q.end(), call.q.begin(), call.q.end());
      layer.out.insert(layer.out.end(), call.out.begin(), call.out.end());
    }
  }
  return alone;
}

struct Row {
  std::size_t prompt;
  std::size_t position;
};

using Pass = std::vector<Row>;

// Prefill: each pass takes tokens of prompts in order until the chunk is full. A new token a prompt follows, of all before any other.
std::vector<Pass> passes_of(const Prompts& prompts, std::size_t chunk_tokens) {
  std::vector<Pass> passes;
  auto const add = [&](std::size_t prompt, std::size_t position, bool starts) {
    if (starts || passes.back().size() == chunk_tokens) passes.emplace_back();
    passes.back().push_back({prompt, position});
  };
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    for (std::size_t t = 0; t < prompts[i].size(); ++t) add(i, t, i + t == 0);
  }
  for (std::size_t step = 0; step + 1 < new_tokens; ++step) {
    for (std::size_t i = 0; i < prompts.size(); ++i) add(i, prompts[i].size() + step, i == 0);
  }
  return passes;
}

struct Seen {
  const std::vector<float>& observed;
  std::vector<float> Call::* side;
  const char* name;
};

void check_rows(const Seen& seen, const Pass& pass, std::size_t layer, const Alone& alone, std::size_t width, const std::string& inputs,
                Tally& tally) {
  std::string const where = std::string(seen.name) + " of layer " + std::to_string(layer);
  bool const sized = seen.observed.size() == pass.size() * width;
  if (tally.equal(sized)) {
    tally.witness({where + ", values", inputs, std::to_string(seen.observed.size()), std::to_string(pass.size() * width)});
  }
  for (std::size_t row = 0; sized && row < pass.size(); ++row) {
    const float* const truth = (alone[pass[row].prompt][layer].*seen.side).data() + pass[row].position * width;
    tally.count("rows");
    if (tally.equal(std::memcmp(seen.observed.data() + row * width, truth, width * sizeof(float)) == 0)) {
      tally.witness({where + ", row " + std::to_string(row), inputs, "other bits",
                     "prompt " + std::to_string(pass[row].prompt) + ", position " + std::to_string(pass[row].position)});
    }
  }
}

void check_chunk(const CheckpointDir& dir, const CheckpointOptions& options, const Prompts& prompts, const Alone& alone,
                 std::size_t chunk_tokens, Tally& tally) {
  auto const calls = calls_of(dir, prompts, static_cast<std::int64_t>(chunk_tokens));
  auto const passes = passes_of(prompts, chunk_tokens);
  auto const layers = static_cast<std::size_t>(options.layers);
  std::string const of_all = std::to_string(prompts.size()) + " prompts, chunk_tokens " + std::to_string(chunk_tokens);
  bool const counted = calls.size() == passes.size() * layers * 2;
  if (tally.equal(counted)) {
    tally.witness({"calls of observers", of_all, std::to_string(calls.size()), std::to_string(passes.size() * layers * 2)});
  }
  auto const width = static_cast<std::size_t>(options.q_heads * options.head_dim);
  for (std::size_t i = 0; counted && i < calls.size(); ++i) {
    auto const& pass = passes[i / (layers * 2)];
    std::size_t const layer = i / 2 % layers;
    std::string const inputs = of_all + ", pass " + std::to_string(i / (layers * 2)) + " of " + std::to_string(passes.size());
    tally.count(pass.size() == 1 ? "calls in passes of one row" : "calls in passes of more");
    bool const in_order = calls[i].stored == (i % 2 == 0) && calls[i].layer == static_cast<std::int32_t>(layer);
    if (tally.equal(in_order)) {
      tally.witness({"call " + std::to_string(i), inputs, "layer " + std::to_string(calls[i].layer), "layer " + std::to_string(layer)});
    }
    if (calls[i].stored) continue;
    check_rows({calls[i].q, &Call::q, "queries"}, pass, layer, alone, width, inputs, tally);
    check_rows({calls[i].out, &Call::out, "outputs"}, pass, layer, alone, width, inputs, tally);
  }
}

}  // namespace

LawVerdict observers_see_every_row() {
  Law law{"observers_see_every_row", "cpu", "exact: the rows of each prompt alone, bit by bit"};
  law.floors = {{"rows", 4000}, {"calls in passes of one row", 500}, {"calls in passes of more", 500}};
  law.separates = {"serve/live_prompt_skipped", "model/store_unobserved", "model/half_an_output_observed"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    CheckpointOptions options;
    options.layers = 2;
    CheckpointDir const dir(options);
    auto seed = draw.bits("prompts");
    Prompts prompts;
    for (std::size_t const length : {3, 1, 5, 17, 2, 16, 4, 33, 15, 6, 7}) {
      auto& prompt = prompts.emplace_back(length);
      for (auto& token : prompt) token = static_cast<std::int32_t>(next_bits(seed) % static_cast<std::uint64_t>(options.vocab));
    }
    auto const alone = alone_of(dir, options, prompts);
    for (std::size_t const chunk : {1, 2, 3, 5, 11, 24, 512}) check_chunk(dir, options, prompts, alone, chunk, tally);
    for (std::size_t i = 0; i < 2; ++i) check_chunk(dir, options, {prompts[i]}, {alone[i]}, 24, tally);
  });
}

}  // namespace redproof::properties
