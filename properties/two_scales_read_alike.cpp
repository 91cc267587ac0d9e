// The same values stored under scales s and 2^a * s read alike, bit for bit, where both quotients are normal and do not saturate.
#include <cmath>

#include "oracle/address/kv_address.h"
#include "oracle/bound/envelope.h"
#include "oracle/stored_byte.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

struct Values {
  std::vector<std::uint16_t> k;  // [tokens, kv_heads, head_dim], bfloat16
  std::vector<std::uint16_t> v;
  std::int64_t tokens;
};

ReadElements stored_and_read(const KvSubject& subject, const Values& values, const engine::KvScales& scales, std::uint64_t seed) {
  KvShape shape;
  shape.window_tokens = 1;
  shape.scales = scales;
  shape.pages = values.tokens / shape.block_tokens + 3;
  KvFixture fixture(shape, 0x7F);
  std::vector<std::int32_t> table;
  for (auto const page : permutation(shape.pages, seed)) table.push_back(static_cast<std::int32_t>(page));
  std::vector<std::int64_t> slots;
  for (auto const& slot : oracle::slots_of_sequence(table, values.tokens, shape.block_tokens)) {
    slots.push_back(static_cast<std::int64_t>(slot.slot));
  }
  subject.store({values.k.data(), engine::DType::bf16}, {values.v.data(), engine::DType::bf16}, slots, fixture.layer);
  return read_through_attention(subject, fixture.layer, table, values.tokens, shape.kv_heads, AttentionPath::prefill);
}

bool comparable(double value, float a, float b) {
  return oracle::is_normal_quotient(value, a) && oracle::does_not_saturate(value, a) && oracle::is_normal_quotient(value, b) &&
         oracle::does_not_saturate(value, b);
}

}  // namespace

LawVerdict two_scales_read_alike(const KvSubject& subject) {
  Law law{"two_scales_read_alike", subject.name, "exact: rounding to e4m3 and multiplying by 2^a commute on normal elements"};
  law.cases = 6;
  law.floors = {{"compared", 5000}, {"K moves", 4}, {"V moves", 4}};
  law.separates = {"read/v_with_k_scale", "store/k_scale_dropped"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    Values values{{}, {}, draw.integer("tokens", 20, 40)};
    std::uint64_t seed = draw.bits("values");
    auto const a = static_cast<int>(draw.integer("a", 1, 3));
    auto const b = static_cast<int>(draw.integer("b", -3, -1));
    for (std::int64_t i = 0; i < values.tokens * 60; ++i) {
      values.k.push_back(static_cast<std::uint16_t>((next_bits(seed) & 0x807F) | (124 + next_bits(seed) % 6) << 7));
      values.v.push_back(static_cast<std::uint16_t>((next_bits(seed) & 0x807F) | (124 + next_bits(seed) % 6) << 7));
    }
    engine::KvScales const before{0.06F, 0.35F};
    engine::KvScales const after{std::ldexp(before.k, a), std::ldexp(before.v, b)};
    auto const first = stored_and_read(subject, values, before, seed);
    auto const second = stored_and_read(subject, values, after, seed);
    tally.count("K moves");
    tally.count("V moves");
    for (std::size_t i = 0; i < values.k.size(); ++i) {
      for (bool const value_side : {false, true}) {
        auto const code = (value_side ? values.v : values.k)[i];
        auto const x = static_cast<double>(oracle::f32_from_bf16(code));
        if (!(value_side ? comparable(x, before.v, after.v) : comparable(x, before.k, after.k))) continue;
        tally.count("compared");
        float const one = (value_side ? first.v : first.k)[i];
        float const other = (value_side ? second.v : second.k)[i];
        if (tally.within(std::fabs(static_cast<double>(one) - static_cast<double>(other)), 0.0)) {
          tally.witness({std::string(value_side ? "V" : "K") + " element " + std::to_string(i),
                         "bf16 " + hex(code, 4) + " scales times 2^" + std::to_string(value_side ? b : a), std::to_string(other),
                         std::to_string(one)});
        }
      }
    }
  });
}

}  // namespace redproof::properties
