// A forward pass over a chunk that names a token outside of the vocabulary, a position outside of its block table or a block outside of
// the cache is refused, first or last of its pass; what can be known beforehand is refused before a layer stores anything. The ends of
// the vocabulary, of the table and of the cache are taken. This is the model's own check: a request is checked before it, by other code.
#include "engine/types/error.h"
#include "properties/generators/engine_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr std::int64_t num_blocks = 4;
constexpr std::int32_t block_tokens = 5;

struct Chunk {
  const char* name;
  std::vector<std::int32_t> tokens;
  std::int64_t first_position;
  std::vector<std::int32_t> table;
  bool refused;
  bool known_beforehand = true;  // false: only a layer's store or attention sees it
};

const std::vector<Chunk>& chunks() {
  static const std::vector<Chunk> all = {
      {"the vocabulary's ends", {0, 66}, 0, {2}, false},
      {"the table's last position", {7}, 9, {3, 0}, false},
      {"the whole table", std::vector<std::int32_t>(10, 7), 0, {0, 3}, false},
      {"a token of -1", {1, -1}, 0, {2}, true},
      {"the token past the vocabulary", {67, 1}, 0, {2}, true},
      {"the token past the vocabulary, last", {1, 67}, 0, {2}, true},
      {"no token", {}, 0, {2}, true},
      {"the position before the first one", {1}, -1, {2}, true},
      {"the position past the table", {1}, 5, {2}, true},
      {"one token past the table", std::vector<std::int32_t>(11, 7), 0, {0, 3}, true},
      {"no block", {1}, 0, {}, true},
      {"a block of -1", {1}, 0, {-1}, true},
      {"a block of -1, last", {1, 2}, 4, {0, -1}, true},
      {"the block past the cache", {1}, 0, {4}, true, false},
      {"a block past 15 bits", {1}, 0, {1 << 15}, true, false},
      {"an earlier block past the cache", {1}, 5, {4, 1}, true, false},
      {"an earlier block of -1", {1}, 5, {-1, 1}, true, false},
  };
  return all;
}

struct Outcome {
  std::string what;
  std::int64_t stored = 0;  // layers
};

Outcome forward(engine::Engine& engine, const Chunk& chunk, bool last) {
  static const std::vector<std::int32_t> tokens = {5, 6};
  static const std::vector<std::int32_t> table = {1};
  std::vector<engine::SequenceChunk> pass = {{chunk.tokens, chunk.first_position, chunk.table}};
  pass.insert(last ? pass.begin() : pass.end(), {tokens, 0, table});
  Outcome outcome;
  engine::Observers observers;
  observers.after_store = [&outcome](std::int32_t, engine::KvLayer&) { ++outcome.stored; };
  try {
    engine.model().forward(pass, engine.cache(), observers);
    outcome.what = "accepted";
  } catch (const engine::Refusal&) {
    outcome.what = "refused";
  }
  return outcome;
}

void check_chunk(engine::Engine& engine, const Chunk& chunk, bool last, Tally& tally) {
  auto const outcome = forward(engine, chunk, last);
  std::string const where = std::string(chunk.name) + (last ? ", in the last chunk" : ", in the first chunk");
  std::string const truth = chunk.refused ? "refused" : "accepted";
  tally.count(chunk.refused ? "bad chunks" : "good chunks");
  if (tally.equal(outcome.what == truth)) tally.witness({where, "", outcome.what, truth});
  if (!chunk.refused || !chunk.known_beforehand) return;
  tally.count("known beforehand");
  if (tally.equal(outcome.stored == 0)) tally.witness({where + ", layers stored", "", std::to_string(outcome.stored), "0"});
}

}  // namespace

LawVerdict bad_chunk_is_refused() {
  Law law{"bad_chunk_is_refused", "cpu", "exact: tokens 0 .. vocab_size - 1, positions within the table, blocks within the cache"};
  law.floors = {{"bad chunks", 28}, {"good chunks", 6}, {"known beforehand", 20}};
  law.separates = {"serve/token_past_vocabulary"};
  return run_law(law, [](Draw&, Tally& tally) {
    CheckpointDir const dir(CheckpointOptions{});
    auto options = engine_options(dir.path(), "fp8");
    options.block_tokens = block_tokens;
    options.pool.num_blocks = num_blocks;
    auto engine = engine::Engine::load(options);
    for (auto const& chunk : chunks()) {
      for (bool const last : {false, true}) check_chunk(engine, chunk, last, tally);
    }
  });
}

}  // namespace redproof::properties
