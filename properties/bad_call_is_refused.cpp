// Attention whose heads are no whole groups, or whose rows lie before the first position or past the block table, is refused and leaves
// its output as it was; rows that end with the table are taken.
#include <algorithm>

#include "engine/types/error.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr std::int32_t table[] = {2, 0};  // 10 positions in blocks of 5

struct Call {
  const char* name;
  std::int32_t q_heads;  // of 3 KV heads
  std::int64_t rows;
  std::int64_t first_position;
  bool refused;
};

// A head map that were let through with fewer query heads than KV heads would have groups of none: those calls come last.
constexpr Call calls[] = {
    {"as many query heads as KV heads, the table's last row", 3, 1, 9, false},
    {"two query heads a KV head, all rows", 6, 10, 0, false},
    {"no row behind the table", 3, 0, 10, false},
    {"one row past the table", 3, 1, 10, true},
    {"the last of all rows past the table", 3, 11, 0, true},
    {"the last of two rows past the table", 3, 2, 9, true},
    {"a row before the first position", 3, 1, -1, true},
    {"a position past 63 bits", 3, 1, INT64_MAX, true},
    {"fewer rows than none", 3, -1, 0, true},
    {"one query head too many", 4, 1, 0, true},
    {"one query head too many, in prefill", 4, 3, 0, true},
    {"two query heads too many", 5, 1, 0, true},
    {"no query head", 0, 1, 0, true},
    {"one query head", 1, 1, 0, true},
    {"fewer query heads than none", -3, 1, 0, true},
};

constexpr float untouched = -7.0F;

std::string outcome(const KvSubject& subject, const KvFixture& fixture, const Call& call) {
  constexpr std::size_t most = 12 * 6 * 20;  // rows, query heads and lanes of any call
  std::vector<float> const q(most, 1.0F);
  std::vector<float> out(most, untouched);
  std::vector<engine::AttentionSequence> const sequences = {{0, call.rows, call.first_position, table}};
  std::string what = "accepted";
  try {
    subject.attend({q.data(), out.data(), nullptr, call.q_heads, 1.0F, sequences}, fixture.layer);
  } catch (const engine::Refusal&) {
    what = "refused";
  }
  bool const same = std::all_of(out.begin(), out.end(), [](float x) { return x == untouched; });
  return what + (same || call.rows == 0 || !call.refused ? "" : " after writing");
}

}  // namespace

LawVerdict bad_call_is_refused(const KvSubject& subject) {
  Law law{"bad_call_is_refused", subject.name, "exact: q_heads = group * kv_heads; rows from 0 to the end of the table"};
  law.floors = {{"bad calls", 12}, {"good calls", 3}};
  law.separates = {"attention/head_map_unchecked"};
  return run_law(law, [&subject](Draw&, Tally& tally) {
    KvFixture const fixture(KvShape{}, 0x38);
    for (auto const& call : calls) {
      tally.count(call.refused ? "bad calls" : "good calls");
      std::string const truth = call.refused ? "refused" : "accepted";
      std::string const observed = outcome(subject, fixture, call);
      if (tally.equal(observed == truth)) tally.witness({call.name, std::to_string(call.q_heads) + " query heads", observed, truth});
      if (observed != truth) return;
    }
  });
}

}  // namespace redproof::properties
