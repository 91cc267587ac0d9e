// A pool of exactly the blocks that a batch needs serves it, again and again on one engine; with one block fewer the batch is refused
// before anything runs, by a message that names --num-blocks, and what fits is served after it. The last new token of a prompt is never
// stored: a prompt of n tokens with m new ones needs ceil((n + m - 1) / block_tokens) blocks. Batches of few prompts and of many.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "properties/generators/engine_fixture.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"
#include "properties/same_logits.h"

namespace redproof::properties {
namespace {

using Prompts = std::vector<std::vector<std::int32_t>>;

struct Batch {
  Prompts prompts;
  std::int64_t max_tokens;
  std::int32_t block_tokens;
};

// Counted token by token: a block more at each first slot of a block.
std::int64_t blocks_of(const Batch& batch) {
  std::int64_t blocks = 0;
  for (auto const& prompt : batch.prompts) {
    auto const stored = static_cast<std::int64_t>(prompt.size()) + batch.max_tokens - 1;
    for (std::int64_t position = 0; position < stored; ++position) blocks += position % batch.block_tokens == 0 ? 1 : 0;
  }
  return blocks;
}

std::string text(const Batch& batch, std::int64_t blocks) {
  std::string lengths;
  for (auto const& prompt : batch.prompts) lengths.append(" ").append(std::to_string(prompt.size()));
  return "prompts of" + lengths + " tokens, " + std::to_string(batch.max_tokens) + " new, " + std::to_string(blocks) + " blocks of " +
         std::to_string(batch.block_tokens);
}

engine::Engine load(const CheckpointDir& dir, const Batch& batch, std::int64_t blocks, const engine::Observers& observers = {}) {
  auto options = engine_options(dir.path(), "fp8");
  options.pool.num_blocks = blocks;
  options.block_tokens = batch.block_tokens;
  options.chunk_tokens = 24;
  options.observers = observers;
  return engine::Engine::load(options);
}

void check_number(const std::string& where, const std::string& inputs, std::int64_t observed, std::int64_t truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({where, inputs, std::to_string(observed), std::to_string(truth)});
}

void check_cache(engine::Engine& engine, std::int64_t blocks, const std::string& inputs, Tally& tally) {
  check_number("blocks of the plan", inputs, engine.plan().pool->num_blocks, blocks, tally);
  check_number("blocks of the cache", inputs, engine.cache().num_blocks(), blocks, tally);
  for (std::size_t i = 0; i < engine.cache().layers(); ++i) {
    check_number("pages of K, layer " + std::to_string(i), inputs, engine.cache().layer(i).k.pages, blocks, tally);
    check_number("pages of V, layer " + std::to_string(i), inputs, engine.cache().layer(i).v.pages, blocks, tally);
  }
}

void check_served(engine::Engine& engine, const Batch& batch, const std::vector<engine::Generation>& truth, const std::string& inputs,
                  Tally& tally) {
  std::string const message = refusal_of(engine, batch.prompts, batch.max_tokens);
  if (tally.equal(message.empty())) tally.witness({"the batch", inputs, message, "served"});
  if (!message.empty()) return;
  tally.count("exact pools served");
  check_same_logits(engine.generate(batch.prompts, batch.max_tokens, true, true), truth, inputs, tally);
}

void check_one_fewer(const CheckpointDir& dir, const Batch& batch, std::int64_t blocks, Tally& tally) {
  if (blocks < 1) return;
  std::int64_t stored = 0;
  engine::Observers observers;
  observers.after_store = [&stored](std::int32_t, engine::KvLayer&) { ++stored; };
  auto engine = load(dir, batch, blocks, observers);
  std::string const inputs = text(batch, blocks);
  std::string const message = refusal_of(engine, batch.prompts, batch.max_tokens);
  tally.count("one block fewer");
  check_number("layers stored before the refusal", inputs, stored, 0, tally);
  if (tally.equal(message.find("--num-blocks") != std::string::npos))
    tally.witness({"the batch", inputs, message.empty() ? "served" : message, "a refusal that names --num-blocks"});
  std::string const after = refusal_of(engine, {batch.prompts.front()}, 1);
  if (batch.prompts.size() > 1 && tally.equal(after.empty())) tally.witness({"the first prompt, after it", inputs, after, "served"});
}

// A token that neither the prompts nor their generations have.
std::int32_t unused_token(const Batch& batch, const std::vector<engine::Generation>& generations, std::int64_t vocab) {
  std::set<std::int32_t> used;
  for (auto const& prompt : batch.prompts) used.insert(prompt.begin(), prompt.end());
  for (auto const& generation : generations) used.insert(generation.tokens.begin(), generation.tokens.end());
  for (std::int32_t token = 0; token < vocab; ++token) {
    if (!used.contains(token)) return token;
  }
  throw std::logic_error("every token of the vocabulary is used");
}

// A batch that ends in the middle, at a logit that is not a number, has taken blocks: they have to come back.
void check_refused_midway(CheckpointOptions options, const Batch& batch, const std::vector<engine::Generation>& generations,
                          std::int64_t blocks, Tally& tally) {
  std::int32_t const nan_token = unused_token(batch, generations, options.vocab);
  options.nan_token = nan_token;
  CheckpointDir const dir(options);
  auto engine = load(dir, batch, blocks);
  Batch broken = batch;
  broken.prompts.back().back() = nan_token;
  std::string const inputs = text(batch, blocks);
  std::string const refusal = refusal_of(engine, broken.prompts, batch.max_tokens);
  tally.count("refused midway");
  if (tally.equal(refusal.find("not a number") != std::string::npos))
    tally.witness({"a batch with a token whose embedding is NaN", inputs, refusal, "a refusal: not a number"});
  std::string const after = refusal_of(engine, batch.prompts, batch.max_tokens);
  if (tally.equal(after.empty())) tally.witness({"the batch, after one that was refused midway", inputs, after, "served"});
}

Batch drawn_batch(Draw& draw, std::int64_t vocab) {
  Batch batch{{}, draw.integer("max_tokens", 1, 6), static_cast<std::int32_t>(draw.integer("block_tokens", 3, 16))};
  auto seed = draw.bits("prompts");
  auto const count = draw.integer("prompts", 2, 4);
  for (std::int64_t i = 0; i < count; ++i) {
    // Around a multiple of a block: the first ends in the last slot of one, the second in the first slot of the next.
    std::int64_t const length =
        batch.block_tokens * draw.integer("blocks", 2, 3) + (i < 2 ? i : draw.integer("more", -1, 2)) - batch.max_tokens + 1;
    auto& prompt = batch.prompts.emplace_back();
    for (std::int64_t t = 0; t < std::max<std::int64_t>(length, 1); ++t)
      prompt.push_back(static_cast<std::int32_t>(next_bits(seed) % static_cast<std::uint64_t>(vocab)));
  }
  return batch;
}

// More prompts than a pass holds tokens, around one and two blocks long each.
Batch many_prompts(std::int64_t vocab, std::uint64_t seed) {
  Batch batch{{}, 2, 3};
  for (std::size_t i = 0; i < 33; ++i) {
    auto& prompt = batch.prompts.emplace_back(1 + i % 4);
    for (auto& token : prompt) token = static_cast<std::int32_t>(next_bits(seed) % static_cast<std::uint64_t>(vocab));
  }
  return batch;
}

void count_edges(const Batch& batch, Tally& tally) {
  for (auto const& prompt : batch.prompts) {
    auto const stored = static_cast<std::int64_t>(prompt.size()) + batch.max_tokens - 1;
    if (stored % batch.block_tokens == 0) tally.count("full last blocks");
    if (stored % batch.block_tokens == 1) tally.count("one token in the last block");
  }
  if (batch.prompts.size() > 32) tally.count("batches of more than 32 prompts");
}

void check_batch(const CheckpointOptions& options, const CheckpointDir& dir, const Batch& batch, Tally& tally) {
  count_edges(batch, tally);
  std::int64_t const blocks = blocks_of(batch);
  auto roomy = load(dir, batch, 4 * blocks);
  std::vector<engine::Generation> truth;  // each prompt alone, with blocks to spare
  for (auto const& prompt : batch.prompts) truth.push_back(roomy.generate({prompt}, batch.max_tokens, true, true).front());
  auto exact = load(dir, batch, blocks);
  check_cache(exact, blocks, text(batch, blocks), tally);
  check_served(exact, batch, truth, text(batch, blocks), tally);
  check_served(exact, batch, truth, text(batch, blocks) + ", again", tally);
  check_one_fewer(dir, batch, blocks - 1, tally);
  check_refused_midway(options, batch, truth, blocks, tally);
}

}  // namespace

LawVerdict pool_serves_its_batch() {
  Law law{"pool_serves_its_batch", "cpu", "exact: the sum of ceil((tokens + new tokens - 1) / block_tokens) blocks"};
  law.cases = 10;
  law.floors = {{"exact pools served", 20},
                {"one block fewer", 10},
                {"refused midway", 10},
                {"full last blocks", 10},
                {"one token in the last block", 10},
                {"tokens", 60},
                {"batches of more than 32 prompts", 10}};
  law.separates = {"pool/one_block_spare", "pool/batch_unchecked", "pool/cache_one_block_short", "pool/blocks_not_given_back",
                   "pool/many_prompts_unchecked"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    CheckpointOptions options;
    options.layers = 2;
    options.vocab = 300;  // more than a batch uses
    CheckpointDir const dir(options);
    check_batch(options, dir, drawn_batch(draw, options.vocab), tally);
    check_batch(options, dir, many_prompts(options.vocab, draw.bits("many prompts")), tally);
  });
}

}  // namespace redproof::properties
