// No forward pass has more rows than chunk_tokens, in prefill or in decode; the passes are as few as that allows, so each setting shows;
// and together they run every prompt token and every new token but the last, once a layer.
#include <algorithm>

#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr std::int64_t new_tokens = 4;

std::int64_t parts(std::int64_t count, std::int64_t most) { return (count + most - 1) / most; }

void check_number(const std::string& where, const std::string& inputs, std::int64_t observed, std::int64_t truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({where, inputs, std::to_string(observed), std::to_string(truth)});
}

// The rows of each pass, [layers][passes].
using Rows = std::vector<std::vector<std::int64_t>>;

Rows rows_of(const CheckpointDir& dir, const CheckpointOptions& options, const std::vector<std::vector<std::int32_t>>& prompts,
             std::int64_t chunk_tokens) {
  Rows rows(static_cast<std::size_t>(options.layers));
  auto load = engine_options(dir.path(), "fp8");
  load.chunk_tokens = chunk_tokens;
  load.observers.after_attention = [&](std::int32_t layer, std::span<const float> q, std::span<const float>) {
    rows.at(static_cast<std::size_t>(layer)).push_back(std::ssize(q) / (options.q_heads * options.head_dim));
  };
  auto engine = engine::Engine::load(load);
  engine.generate(prompts, new_tokens, false, true);
  return rows;
}

void check_layer(const std::vector<std::int64_t>& rows, const std::vector<std::vector<std::int32_t>>& prompts, std::int64_t chunk_tokens,
                 const std::string& inputs, Tally& tally) {
  auto const sequences = std::ssize(prompts);
  std::int64_t prompt_tokens = 0;
  for (auto const& prompt : prompts) prompt_tokens += std::ssize(prompt);
  std::int64_t const prefills = parts(prompt_tokens, chunk_tokens);
  std::int64_t const decodes = parts(sequences, chunk_tokens);
  check_number("passes", inputs, std::ssize(rows), prefills + (new_tokens - 1) * decodes, tally);
  std::int64_t total = 0;
  for (std::size_t pass = 0; pass < rows.size(); ++pass) {
    bool const prefill = static_cast<std::int64_t>(pass) < prefills;
    tally.count(prefill ? "prefill passes" : "decode passes");
    if (!prefill && decodes > 1) tally.count("split decode passes");
    if (tally.equal(rows[pass] <= chunk_tokens))
      tally.witness({"rows of pass " + std::to_string(pass), inputs, std::to_string(rows[pass]), "at most the chunk"});
    total += rows[pass];
  }
  check_number("rows of all passes", inputs, total, prompt_tokens + (new_tokens - 1) * sequences, tally);
}

}  // namespace

LawVerdict passes_hold_their_tokens() {
  Law law{"passes_hold_their_tokens", "cpu", "exact: ceil(prompt tokens / chunk) + (new tokens - 1) * ceil(prompts / chunk) passes"};
  law.floors = {{"prefill passes", 100}, {"decode passes", 30}, {"split decode passes", 30}, {"chunks", 6}};
  law.separates = {"serve/chunk_not_passed_on", "serve/chunk_one_more", "serve/decode_unsplit"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    CheckpointOptions options;
    options.layers = 2;
    CheckpointDir const dir(options);
    auto const prompts = test_prompts(options.vocab, draw.bits("prompts"));
    for (std::int64_t const chunk : {1, 4, 5, 24, 150, 512}) {
      std::string const inputs = std::to_string(prompts.size()) + " prompts, chunk_tokens " + std::to_string(chunk);
      tally.count("chunks");
      for (auto const& rows : rows_of(dir, options, prompts, chunk)) check_layer(rows, prompts, chunk, inputs, tally);
    }
  });
}

}  // namespace redproof::properties
