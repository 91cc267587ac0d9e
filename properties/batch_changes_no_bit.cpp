// A prompt's logits are the same bits alone, in a batch, in other chunks, in other block sizes, through block tables in any order, and on
// an engine whose blocks have been used before: every sum has a fixed order, whatever shares the pass.
#include <algorithm>

#include "properties/generators/engine_fixture.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"
#include "properties/same_logits.h"

namespace redproof::properties {
namespace {

using Prompts = std::vector<std::vector<std::int32_t>>;

constexpr std::int64_t new_tokens = 5;

engine::Engine load(const CheckpointDir& dir, std::int64_t chunk_tokens, std::int32_t block_tokens) {
  engine::EngineOptions options;
  options.model = dir.path();
  options.kv_cache_dtype = "fp8";
  options.cpu = default_cpu();
  options.chunk_tokens = chunk_tokens;
  options.block_tokens = block_tokens;
  return engine::Engine::load(options);
}

void check_batch(engine::Engine& engine, const Prompts& prompts, const std::vector<engine::Generation>& truth, const std::string& inputs,
                 Tally& tally) {
  tally.count("batches");
  check_same_logits(engine.generate(prompts, new_tokens, true, true), truth, inputs, tally);
}

// The pool hands out neighbours; here no block of a prompt follows the one before it. Fed in chunks that end within blocks.
void check_scattered(const CheckpointDir& dir, const Prompts& prompts, const std::vector<engine::Generation>& truth, std::uint64_t seed,
                     const std::string& inputs, Tally& tally) {
  constexpr std::int32_t block_tokens = 5;
  constexpr std::size_t chunk = 23;
  auto engine = load(dir, 512, block_tokens);
  auto blocks = permutation(engine.cache().num_blocks(), seed);
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    std::vector<std::int32_t> table;
    for (std::size_t t = 0; t < prompts[i].size(); t += block_tokens) {
      if (!table.empty() && blocks.back() == table.back() + 1) std::swap(blocks.back(), blocks.front());
      table.push_back(static_cast<std::int32_t>(blocks.back()));
      blocks.pop_back();
    }
    tally.count("blocks out of order", table.size() - 1);
    std::vector<float> logits;
    for (std::size_t first = 0; first < prompts[i].size(); first += chunk) {
      auto const tokens = std::span(prompts[i]).subspan(first, std::min(chunk, prompts[i].size() - first));
      engine::SequenceChunk const part{tokens, static_cast<std::int64_t>(first), table};
      logits = engine.model().forward({&part, 1}, engine.cache(), {});
    }
    engine::Generation const observed{{lowest_argmax(logits)}, {logits}};
    engine::Generation const alone{{truth[i].tokens.front()}, {truth[i].logits.front()}};
    check_same_logits({observed}, {alone}, inputs + ", prompt " + std::to_string(i), tally);
  }
}

void check_family(Family family, std::uint64_t seed, Tally& tally) {
  CheckpointOptions options;
  options.family = family;
  options.k_scales = {0.06F, 0.11F, 0.5F};
  options.v_scales = {0.35F, 0.02F, 0.07F};
  if (family == Family::mistral) options.windows = {50, 50, 50};
  CheckpointDir const dir(options);
  auto prompts = test_prompts(options.vocab, seed);
  while (prompts.front().size() < 150)
    prompts.front().push_back(prompts.back()[prompts.front().size() % 70]);  // windows cross several tiles
  std::string const name = family_name(family);
  std::vector<engine::Generation> alone;  // each prompt on an engine of its own, in one chunk: no defect of sharing reaches it
  for (auto const& prompt : prompts) {
    auto engine = load(dir, 512, 16);
    alone.push_back(engine.generate({prompt}, new_tokens, true, true).front());
  }
  auto batched = load(dir, 512, 16);
  check_batch(batched, prompts, alone, name + ", all in one pass", tally);
  check_batch(batched, prompts, alone, name + ", on used blocks", tally);
  auto chunked = load(dir, 7, 16);
  check_batch(chunked, prompts, alone, name + ", chunks of 7 tokens", tally);
  auto reblocked = load(dir, 24, 5);
  check_batch(reblocked, prompts, alone, name + ", blocks of 5 tokens", tally);
  check_scattered(dir, prompts, alone, seed, name + ", scattered blocks of 5 tokens", tally);
}

}  // namespace

LawVerdict batch_changes_no_bit() {
  Law law{"batch_changes_no_bit", "cpu", "exact: every sum has a fixed order"};
  law.floors = {{"batches", 16}, {"logits", 30000}, {"blocks out of order", 200}};
  law.separates = {"pool/block_taken_twice", "slots/position_of_the_chunk", "slots/neighbours_assumed"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    auto const seed = draw.bits("prompts");
    for (auto const family : {Family::llama, Family::qwen2, Family::qwen3, Family::mistral}) check_family(family, seed, tally);
  });
}

}  // namespace redproof::properties
