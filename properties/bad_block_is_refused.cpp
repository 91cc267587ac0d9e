// A block table whose block is not the layer's is refused by attention where a row sees the block, on both paths, alone and beside
// sequences that are right, whose rows other threads may take. The layer is the middle of an allocation: pages lie before and behind it, so
// that a stray read finds bytes that are not its own.
#include "engine/types/error.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr std::int64_t spare_pages = 2;  // on each side of the layer

// Takes the spare pages from a layer.
void shrink(engine::KvPages& pages) {
  pages.data += spare_pages * pages.page_stride_bytes;
  pages.pages -= 2 * spare_pages;
}

struct Table {
  const char* name;
  std::vector<std::int32_t> blocks;
  bool refused;
};

// Block tables of a layer of `pages` pages; all of their blocks are read.
std::vector<Table> tables_of(std::int64_t pages) {
  auto const end = static_cast<std::int32_t>(pages);
  return {{"-1 first", {-1, 0, 1}, true},
          {"-1 between", {0, -1, 1}, true},
          {"-1 last", {0, 1, -1}, true},
          {"-2 last", {0, 1, -2}, true},
          {"the number of pages first", {end, 0, 1}, true},
          {"the number of pages between", {0, end, 1}, true},
          {"the number of pages last", {0, 1, end}, true},
          {"one past the number of pages", {0, 1, end + 1}, true},
          {"the first and the last block", {0, end - 1, 1}, false},
          {"a block twice", {end - 1, 0, end - 1}, false}};
}

constexpr std::int32_t good_blocks[] = {0, 1, 0};

// The sequence of a table stands at `place` among `sequences` of them; the others' tables are good.
struct Batch {
  std::size_t sequences;
  std::size_t place;
};

constexpr Batch batches[] = {{1, 0}, {2, 0}, {2, 1}, {3, 1}, {5, 4}};

std::string outcome(const KvSubject& subject, const KvFixture& fixture, const Table& table, AttentionPath path, const Batch& batch) {
  auto const& spec = fixture.layer.spec;
  std::int64_t const tokens = std::ssize(table.blocks) * spec.block_tokens;
  std::int64_t const rows = path == AttentionPath::decode ? 1 : tokens;
  auto const elements = batch.sequences * static_cast<std::size_t>(rows * spec.kv_heads * spec.head_dim);
  std::vector<float> const q(elements, 1.0F);
  std::vector<float> out(elements);
  std::vector<engine::AttentionSequence> sequences;
  for (std::size_t i = 0; i < batch.sequences; ++i) {
    std::span<const std::int32_t> const blocks = i == batch.place ? std::span<const std::int32_t>(table.blocks) : good_blocks;
    sequences.push_back({static_cast<std::int64_t>(i) * rows, rows, tokens - rows, blocks});
  }
  try {
    subject.attend({q.data(), out.data(), nullptr, spec.kv_heads, 1.0F, sequences}, fixture.layer);
  } catch (const engine::Refusal&) {
    return "refused";
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

void check_table(const KvSubject& subject, const KvFixture& fixture, const Table& table, AttentionPath path, const Batch& batch,
                 Tally& tally) {
  tally.count(table.refused ? "bad blocks" : "good blocks");
  if (batch.place > 0) tally.count("behind a good sequence");
  std::string const truth = table.refused ? "refused" : "accepted";
  std::string const observed = outcome(subject, fixture, table, path, batch);
  if (tally.equal(observed == truth)) {
    tally.witness({std::string(path == AttentionPath::decode ? "decode" : "prefill") + ", sequence " + std::to_string(batch.place) +
                       " of " + std::to_string(batch.sequences),
                   std::string(table.name) + ", " + std::to_string(fixture.layer.k.pages) + " pages", observed, truth});
  }
}

void check_shape(const KvSubject& subject, const KvShape& shape, Tally& tally) {
  KvFixture fixture(shape, 0x38);
  shrink(fixture.layer.k);
  shrink(fixture.layer.v);
  for (auto const& table : tables_of(fixture.layer.k.pages)) {
    for (auto const path : {AttentionPath::decode, AttentionPath::prefill}) {
      for (auto const& batch : batches) check_table(subject, fixture, table, path, batch, tally);
    }
  }
}

}  // namespace

LawVerdict bad_block_is_refused(const KvSubject& subject) {
  Law law{"bad_block_is_refused", subject.name, "exact: blocks are 0 .. pages - 1"};
  law.floors = {{"bad blocks", 160}, {"good blocks", 40}, {"behind a good sequence", 120}};
  law.separates = {"read/block_of_minus_1", "read/block_past_the_end", "model/worker_refusal_lost"};
  return run_law(law, [&subject](Draw&, Tally& tally) {
    for (auto const storage : {engine::KvStorage::fp8_e4m3, engine::KvStorage::bfloat16}) {
      KvShape shape;
      shape.storage = storage;
      shape.pages = 3 + 2 * spare_pages;
      check_shape(subject, shape, tally);
    }
  });
}

}  // namespace redproof::properties
