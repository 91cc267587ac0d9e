// The one reader of pages refuses heads that the layer does not have and positions outside of the block table, and takes the ends of both.
// Its pages are the middle of an allocation, so that a stray read finds bytes that are not its own.
#include <array>

#include "engine/bits/fp8.h"
#include "engine/kv/read.h"
#include "engine/types/error.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"
#include "properties/named_in_order.h"

namespace redproof::properties {
namespace {

constexpr std::array<std::int32_t, 2> table = {2, 1};  // 10 positions in blocks of 5

struct Tile {
  const char* name;
  std::int64_t first_position;
  std::int64_t tokens;
  std::int32_t kv_head;  // of 3
  bool refused;
};

constexpr Tile tiles[] = {
    {"the whole table, the first head", 0, 10, 0, false},
    {"the last position, the last head", 9, 1, 2, false},
    {"no token behind the table", 10, 0, 2, false},
    {"the head after the last one", 0, 1, 3, true},
    {"the head after the last one, no token", 0, 0, 3, true},
    {"the head before the first one", 0, 1, -1, true},
    {"a head past 16 bits", 0, 1, 1 << 16, true},
    {"the position after the last one", 10, 1, 0, true},
    {"one token past the table", 8, 3, 0, true},
    {"the position before the first one", -1, 1, 0, true},
    {"fewer tokens than none", 3, -1, 0, true},
    {"a position past 63 bits", INT64_MAX, 1, 0, true},
};

std::string outcome(const engine::KvPages& pages, const Tile& tile, engine::CpuIsa isa) {
  std::vector<float> out(static_cast<std::size_t>(16 * pages.head_dim));
  try {
    engine::read_tile(pages, table, tile.first_position, tile.tokens, tile.kv_head, isa, out.data());
  } catch (const engine::Refusal& refusal) {
    // A head that is none is told before positions that are none.
    std::vector<std::string> const says = {std::to_string(tile.first_position), std::to_string(tile.tokens)};
    bool const of_head = tile.kv_head < 0 || tile.kv_head >= pages.kv_heads;
    if (of_head || named_in_order(refusal.what(), says)) return "refused";
    return std::string("refused, and not named: ") + refusal.what();
  }
  return "accepted";
}

void check_tiles(engine::CpuIsa isa, Tally& tally) {
  KvFixture fixture(KvShape{}, 0x38);
  auto pages = fixture.layer.k;
  pages.data += pages.page_stride_bytes;
  pages.pages = 3;
  for (auto const& tile : tiles) {
    tally.count(tile.refused ? "bad tiles" : "good tiles");
    std::string const truth = tile.refused ? "refused" : "accepted";
    std::string const observed = outcome(pages, tile, isa);
    if (tally.equal(observed == truth)) tally.witness({tile.name, isa == engine::CpuIsa::avx2 ? "avx2" : "scalar", observed, truth});
    if (observed != truth) return;
  }
}

}  // namespace

LawVerdict bad_tile_is_refused() {
  Law law{"bad_tile_is_refused", "cpu", "exact: heads 0 .. kv_heads - 1, positions 0 to the end of the table"};
  law.floors = {{"bad tiles", 9}, {"good tiles", 3}};
  law.separates = {"read/head_past_the_last"};
  return run_law(law, [](Draw&, Tally& tally) {
    check_tiles(engine::CpuIsa::scalar, tally);
    if (engine::cpu_has_avx2()) check_tiles(engine::CpuIsa::avx2, tally);
  });
}

}  // namespace redproof::properties
