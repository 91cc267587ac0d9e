// A slot past the end is refused, and a refused store has written nothing.
#include "engine/types/error.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

bool refuses(const KvSubject& subject, std::span<const std::int64_t> slots, KvFixture& fixture) {
  auto const& spec = fixture.layer.spec;
  std::vector<std::uint16_t> const ones(slots.size() * static_cast<std::size_t>(spec.kv_heads * spec.head_dim), 0x3F80);
  try {
    subject.store({ones.data(), engine::DType::bf16}, {ones.data(), engine::DType::bf16}, slots, fixture.layer);
  } catch (const engine::Refusal&) {
    return true;
  }
  return false;
}

}  // namespace

LawVerdict bad_slot_is_refused(const KvSubject& subject) {
  Law law{"bad_slot_is_refused", subject.name, "exact: slots are 0 .. pages * block_tokens - 1, or negative"};
  law.floors = {{"past the end", 3}, {"last slot", 1}};
  return run_law(law, [&subject](Draw&, Tally& tally) {
    KvShape const shape;
    std::int64_t const end = (shape.pages - 1) * shape.block_tokens;  // the last page is no longer the layer's: a stray write lands there
    for (std::int64_t const slot : {end, end + 1, std::int64_t{1} << 40}) {
      KvFixture fixture(shape, 0xA5);
      fixture.layer.k.pages = fixture.layer.v.pages = shape.pages - 1;
      auto const before_k = fixture.k_memory;
      auto const before_v = fixture.v_memory;
      bool const refused = refuses(subject, std::vector<std::int64_t>{0, slot}, fixture);
      bool const unchanged = fixture.k_memory == before_k && fixture.v_memory == before_v;
      tally.count("past the end");
      if (tally.equal(refused && unchanged)) {
        tally.witness({"slot " + std::to_string(slot), "slots {0, " + std::to_string(slot) + "} of " + std::to_string(end),
                       refused ? (unchanged ? "refused" : "refused after writing") : "accepted", "refused, nothing written"});
      }
    }
    KvFixture fixture(shape, 0xA5);
    fixture.layer.k.pages = fixture.layer.v.pages = shape.pages - 1;
    tally.count("last slot");
    if (tally.equal(!refuses(subject, std::vector<std::int64_t>{end - 1}, fixture))) {
      tally.witness({"slot " + std::to_string(end - 1), "the last slot", "refused", "accepted"});
    }
  });
}

}  // namespace redproof::properties
