// What production attention reads of what production stored is within e4m3's envelope of the bfloat16 value, on elements that are normal
// and do not saturate.
#include <cmath>

#include "oracle/address/kv_address.h"
#include "oracle/attention/attention.h"
#include "oracle/bound/envelope.h"
#include "oracle/stored_byte.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr engine::KvScales scale_pairs[] = {{0.25F, 2.0F}, {0.06F, 0.35F}, {3.0F, 0.7F}};

// A bfloat16 value whose quotient by the scale has an exponent from -6 to 7: normal in e4m3, at most 255.
std::uint16_t normal_source(float scale, std::uint64_t random) {
  int const exponent = static_cast<int>(random % 14) - 6;
  double const mantissa = 1.0 + static_cast<double>((random >> 8) & 0x7F) / 128.0;
  double const value = std::ldexp(mantissa, exponent) * static_cast<double>(scale);
  return oracle::bf16_from_f32(static_cast<float>((random & 0x80000000) != 0 ? -value : value));
}

struct Element {
  double truth;
  double observed;
  float scale;
  float other_scale;  // the other side's
};

bool check_element(const Element& element, Tally& tally) {
  double const magnitude = std::fabs(element.truth);
  if (!oracle::is_normal_quotient(element.truth, element.scale) || !oracle::does_not_saturate(element.truth, element.scale)) return false;
  double const bound = oracle::sharp_bound(element.truth, element.scale);
  tally.count("normal");
  tally.signal("store/scale_x8", 7.0 * magnitude / bound);
  tally.signal("store/k_scale_dropped", std::fabs(1.0 / static_cast<double>(element.scale) - 1.0) * magnitude / bound);
  tally.signal("read/v_with_k_scale",
               std::fabs(static_cast<double>(element.other_scale) / static_cast<double>(element.scale) - 1.0) * magnitude / bound);
  return tally.within(std::fabs(element.observed - element.truth), bound);
}

void check_pair(const KvSubject& subject, const engine::KvScales& scales, std::int64_t tokens, std::uint64_t seed, Tally& tally) {
  KvShape shape;
  shape.window_tokens = 1;
  shape.scales = scales;
  shape.pages = tokens / shape.block_tokens + 3;
  KvFixture fixture(shape, 0x7F);
  std::vector<std::int32_t> table;
  for (auto const page : permutation(shape.pages, seed)) table.push_back(static_cast<std::int32_t>(page));
  std::vector<std::int64_t> slots;
  for (auto const& slot : oracle::slots_of_sequence(table, tokens, shape.block_tokens))
    slots.push_back(static_cast<std::int64_t>(slot.slot));
  std::int32_t const lanes = shape.kv_heads * shape.head_dim;
  std::vector<std::uint16_t> k(static_cast<std::size_t>(tokens * lanes));
  std::vector<std::uint16_t> v(k.size());
  for (std::size_t i = 0; i < k.size(); ++i) {
    k[i] = normal_source(scales.k, next_bits(seed));
    v[i] = normal_source(scales.v, next_bits(seed));
  }
  subject.store({k.data(), engine::DType::bf16}, {v.data(), engine::DType::bf16}, slots, fixture.layer);
  auto const read = read_through_attention(subject, fixture.layer, table, tokens, shape.kv_heads, AttentionPath::decode);
  for (std::size_t i = 0; i < k.size(); ++i) {
    for (bool const value_side : {false, true}) {
      auto const code = (value_side ? v : k)[i];
      Element const element{static_cast<double>(oracle::f32_from_bf16(code)), static_cast<double>((value_side ? read.v : read.k)[i]),
                            value_side ? scales.v : scales.k, value_side ? scales.k : scales.v};
      if (check_element(element, tally)) {
        tally.witness({std::string(value_side ? "V" : "K") + " element " + std::to_string(i) + " (token " +
                           std::to_string(i / static_cast<std::size_t>(lanes)) + ")",
                       "bf16 " + hex(code, 4) + " scale " + std::to_string(element.scale), std::to_string(element.observed),
                       std::to_string(element.truth)});
      }
    }
  }
}

}  // namespace

LawVerdict read_of_store_is_within_envelope(const KvSubject& subject) {
  Law law{"read_of_store_is_within_envelope", subject.name,
          "max(|x| / 17, 2^-10 s), and 2^-22 (|x| + 2^-10 s) where s is no power of two: u / (1 + u) of 4 significant bits"};
  law.cases = 3;
  law.floors = {{"normal", 10000}};
  law.separates = {"store/scale_x8", "store/k_scale_dropped", "read/v_with_k_scale"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    auto const tokens = draw.integer("tokens", 30, 60);
    auto const seed = draw.bits("values");
    for (auto const& scales : scale_pairs) check_pair(subject, scales, tokens, seed, tally);
  });
}

}  // namespace redproof::properties
