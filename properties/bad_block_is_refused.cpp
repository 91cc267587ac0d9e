// A block table whose block is not the layer's is refused by attention where a row sees the block, on both paths. The layer is the middle
// of an allocation: pages lie before and behind it, so that a stray read finds bytes that are not its own.
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

std::string outcome(const KvSubject& subject, const KvFixture& fixture, const Table& table, AttentionPath path) {
  auto const& spec = fixture.layer.spec;
  std::int64_t const tokens = std::ssize(table.blocks) * spec.block_tokens;
  std::int64_t const rows = path == AttentionPath::decode ? 1 : tokens;
  auto const elements = static_cast<std::size_t>(rows * spec.kv_heads * spec.head_dim);
  std::vector<float> const q(elements, 1.0F);
  std::vector<float> out(elements);
  std::vector<engine::AttentionSequence> const sequences = {{0, rows, tokens - rows, table.blocks}};
  try {
    subject.attend({q.data(), out.data(), nullptr, spec.kv_heads, 1.0F, sequences}, fixture.layer);
  } catch (const engine::Refusal&) {
    return "refused";
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

void check_shape(const KvSubject& subject, const KvShape& shape, Tally& tally) {
  KvFixture fixture(shape, 0x38);
  shrink(fixture.layer.k);
  shrink(fixture.layer.v);
  for (auto const& table : tables_of(fixture.layer.k.pages)) {
    for (auto const path : {AttentionPath::decode, AttentionPath::prefill}) {
      tally.count(table.refused ? "bad blocks" : "good blocks");
      std::string const truth = table.refused ? "refused" : "accepted";
      std::string const observed = outcome(subject, fixture, table, path);
      if (tally.equal(observed == truth)) {
        tally.witness({path == AttentionPath::decode ? "decode" : "prefill",
                       std::string(table.name) + ", " + std::to_string(fixture.layer.k.pages) + " pages", observed, truth});
      }
    }
  }
}

}  // namespace

LawVerdict bad_block_is_refused(const KvSubject& subject) {
  Law law{"bad_block_is_refused", subject.name, "exact: blocks are 0 .. pages - 1"};
  law.floors = {{"bad blocks", 32}, {"good blocks", 8}};
  law.separates = {"read/block_of_minus_1", "read/block_past_the_end"};
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
