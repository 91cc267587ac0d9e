// A prompt's logits are the same bits alone, in a batch, in other chunks, in other block sizes, and on an engine whose blocks have been
// used before: every sum has a fixed order, whatever shares the pass.
#include "properties/generators/engine_fixture.h"
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
}

}  // namespace

LawVerdict batch_changes_no_bit() {
  Law law{"batch_changes_no_bit", "cpu", "exact: every sum has a fixed order"};
  law.floors = {{"batches", 16}, {"logits", 30000}};
  law.separates = {"pool/block_taken_twice", "slots/position_of_the_chunk"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    auto const seed = draw.bits("prompts");
    for (auto const family : {Family::llama, Family::qwen2, Family::qwen3, Family::mistral}) check_family(family, seed, tally);
  });
}

}  // namespace redproof::properties
