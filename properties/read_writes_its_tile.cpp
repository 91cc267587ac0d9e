// A read of a tile writes every lane of it, and nothing behind its last one: head sizes on both sides of a vector's width, one short of it
// too.
#include "engine/bits/isa.h"
#include "engine/kv/read.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr float untouched = -12345.0F;  // what no element of the pages decodes to
constexpr std::int64_t behind = 16;     // lanes that are watched there

void check_tile(const KvFixture& fixture, engine::CpuIsa isa, std::int64_t tokens, Tally& tally) {
  auto const& pages = fixture.layer.k;
  std::vector<std::int32_t> const table = {2, 0, 1};
  std::int64_t const lanes = tokens * pages.head_dim;
  std::vector<float> out(static_cast<std::size_t>(lanes + behind), untouched);
  engine::read_tile(pages, table, 1, tokens, 2, isa, out.data());
  tally.count("tiles");
  if (isa == engine::CpuIsa::avx2 && pages.head_dim % 8 == 7)
    tally.count("rows one lane short of a vector", static_cast<std::uint64_t>(tokens));
  for (std::int64_t i = 0; i < lanes + behind; ++i) {
    bool const inside = i < lanes;
    bool const written = out[static_cast<std::size_t>(i)] != untouched;
    tally.count(inside ? "lanes of tiles" : "lanes behind them");
    if (tally.equal(written == inside)) {
      tally.witness({std::to_string(tokens) + " tokens of " + std::to_string(pages.head_dim) + " lanes, lane " + std::to_string(i),
                     isa == engine::CpuIsa::avx2 ? "avx2" : "scalar", written ? "written" : "not written",
                     inside ? "written" : "not written"});
    }
  }
}

}  // namespace

LawVerdict read_writes_its_tile() {
  Law law{"read_writes_its_tile", "cpu", "exact: tokens * head_dim lanes from `out`, and no other"};
  law.floors = {{"tiles", 24}, {"lanes of tiles", 800}, {"lanes behind them", 384}};
  if (engine::cpu_has_avx2()) law.floors["rows one lane short of a vector"] = 32;
  law.separates = {"read/tile_overrun_avx2", "read/tile_overrun_bf16_avx2", "read/tile_overrun_scalar"};
  return run_law(law, [](Draw&, Tally& tally) {
    for (auto const storage : {engine::KvStorage::fp8_e4m3, engine::KvStorage::bfloat16}) {
      for (std::int32_t const head_dim : {4, 7, 16, 23}) {
        KvFixture const fixture({.storage = storage, .head_dim = head_dim}, 0x38);
        for (std::int64_t const tokens : {0, 1, 7}) {
          check_tile(fixture, engine::CpuIsa::scalar, tokens, tally);
          if (engine::cpu_has_avx2()) check_tile(fixture, engine::CpuIsa::avx2, tokens, tally);
        }
      }
    }
  });
}

}  // namespace redproof::properties
