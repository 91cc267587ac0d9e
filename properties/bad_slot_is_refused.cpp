// A slot past the end is refused, first or last of its batch, and a refused store has written nothing. The last page of the allocation is
// not the layer's: a stray write lands there.
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

std::string text_of(std::span<const std::int64_t> slots) {
  std::string text = "slots";
  for (std::int64_t const slot : slots) text.append(" ").append(std::to_string(slot));
  return text;
}

// Whether the batch was refused and nothing was written.
bool check_refused(const KvSubject& subject, const KvShape& shape, const std::vector<std::int64_t>& slots, Tally& tally) {
  KvFixture fixture(shape, 0xA5);
  fixture.layer.k.pages = fixture.layer.v.pages = shape.pages - 1;
  auto const before_k = fixture.k_memory;
  auto const before_v = fixture.v_memory;
  bool const refused = refuses(subject, slots, fixture);
  bool const unchanged = fixture.k_memory == before_k && fixture.v_memory == before_v;
  tally.count("past the end");
  if (tally.equal(refused && unchanged)) {
    tally.witness({text_of(slots), std::to_string(shape.pages - 1) + " pages of " + std::to_string(shape.block_tokens) + " slots",
                   refused ? (unchanged ? "refused, nothing written" : "refused after writing") : "accepted", "refused, nothing written"});
  }
  return refused && unchanged;
}

void check_taken(const KvSubject& subject, const KvShape& shape, const std::vector<std::int64_t>& slots, Tally& tally) {
  KvFixture fixture(shape, 0xA5);
  fixture.layer.k.pages = fixture.layer.v.pages = shape.pages - 1;
  tally.count("within the pages, or negative");
  bool const refused = refuses(subject, slots, fixture);
  if (tally.equal(!refused)) tally.witness({text_of(slots), "", refused ? "refused" : "accepted", "accepted"});
}

}  // namespace

LawVerdict bad_slot_is_refused(const KvSubject& subject) {
  Law law{"bad_slot_is_refused", subject.name, "exact: slots are 0 .. pages * block_tokens - 1, or negative"};
  law.floors = {{"past the end", 9}, {"within the pages, or negative", 4}};
  law.separates = {"store/slot_unchecked", "store/only_first_slot_checked", "store/only_last_slot_checked"};
  return run_law(law, [&subject](Draw&, Tally& tally) {
    KvShape const shape;
    std::int64_t const end = (shape.pages - 1) * shape.block_tokens;
    for (std::int64_t const slot : {end, end + 1, std::int64_t{1} << 40}) {
      // A store that takes a near slot would write far outside of memory for a far one.
      bool const first = check_refused(subject, shape, {slot, 0}, tally);
      bool const between = check_refused(subject, shape, {-1, slot, 0}, tally);
      bool const last = check_refused(subject, shape, {0, slot}, tally);
      if (!first || !between || !last) return;
    }
    for (auto const& slots : {std::vector<std::int64_t>{end - 1}, {0, end - 1}, {-1, 0}, {INT64_MIN}}) {
      check_taken(subject, shape, slots, tally);
    }
  });
}

}  // namespace redproof::properties
