// Every bfloat16 code, on each side, at each pair of scales: the byte in memory is the oracle's byte, found at the oracle's address. The
// batch has padding between its tokens, and tokens whose slot a later token takes.
#include <algorithm>

#include "oracle/nearest.h"
#include "oracle/stored_byte.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr std::int64_t codes = 1 << 16;
constexpr engine::KvScales scale_pairs[] = {{0.25F, 2.0F},                     // powers of two: 1 in 16 codes is a tie
                                            {0.06F, 0.35F},                    // a reciprocal instead of a division shows at 0.06
                                            {0.35F, 0.06F}, {1e-3F, 3000.0F},  // K saturates, V underflows
                                            {0.35F, 1.0F},  // a scale of 1 is a scale: the other side's never stands in for it
                                            {1.0F, 0.06F},  {0.11F, 0.11F}};

// K holds code i at the i-th element that stays; V holds another code there, so that neither side can stand for the other.
std::uint16_t v_code(std::int64_t element) { return static_cast<std::uint16_t>(element * 40503 + 12345); }

struct Token {
  std::int64_t slot;
  bool stays;
};

// A token for each slot. Before every fifth one stands a token without a slot, before every seventh one that names a slot of a later token.
std::vector<Token> tokens_of(std::span<const std::int64_t> slots, Tally& tally) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (i % 5 == 3) tokens.push_back({i % 2 == 0 ? -1 : -7, false});
    if (i % 7 == 2) tokens.push_back({slots[std::min(i + i % 4, slots.size() - 1)], false});
    tokens.push_back({slots[i], true});
  }
  tally.count("padding between tokens", (slots.size() + 1) / 5);
  tally.count("slots named twice", (slots.size() + 4) / 7);
  return tokens;
}

void count_rounding(Tally& tally, double quotient) {
  if (oracle::is_tie(oracle::e4m3fn, quotient)) tally.count("ties");
  switch (oracle::rounding_of(oracle::e4m3fn, quotient)) {
    case oracle::Rounding::nan:
      tally.count("nan");
      break;
    case oracle::Rounding::overflows:
    case oracle::Rounding::infinite:
      tally.count("saturated");
      break;
    case oracle::Rounding::underflows:
      tally.count("underflowed");
      break;
    case oracle::Rounding::subnormal:
      tally.count("subnormal");
      break;
    case oracle::Rounding::normal:
      tally.count("normal");
      break;
    case oracle::Rounding::zero:
      tally.count("zeros");
      break;
  }
}

struct Side {
  bool value;
  float scale;
  std::vector<std::uint16_t> source;  // [tokens, kv_heads, head_dim]
};

// Tokens that leave nothing behind hold 1.5 in every lane.
std::vector<std::uint16_t> source_of(std::span<const Token> tokens, std::int64_t lanes, bool value) {
  std::vector<std::uint16_t> source;
  std::int64_t element = 0;
  for (auto const& token : tokens) {
    for (std::int64_t i = 0; i < lanes; ++i) {
      source.push_back(!token.stays ? 0x3FC0 : value ? v_code(element) : static_cast<std::uint16_t>(element));
      if (token.stays) ++element;
    }
  }
  return source;
}

void check_side(const KvFixture& fixture, const Side& side, std::span<const Token> tokens, Tally& tally) {
  auto const& spec = fixture.layer.spec;
  std::size_t element = 0;
  for (auto const& token : tokens) {
    for (std::int32_t head = 0; head < spec.kv_heads; ++head) {
      for (std::int32_t lane = 0; lane < spec.head_dim; ++lane, ++element) {
        if (!token.stays) continue;
        std::uint16_t const code = side.source[element];
        auto const at = coordinate_of(token.slot, spec.block_tokens, head, lane);
        auto const observed = fixture.bits_at(side.value, at);
        std::uint64_t const truth = oracle::stored_byte(code, side.scale);
        count_rounding(tally, static_cast<double>(oracle::quotient_f32(oracle::f32_from_bf16(code), side.scale)));
        if (tally.equal(observed == truth)) {
          tally.witness({coordinate_text(side.value ? "V" : "K", at), "bf16 " + hex(code, 4) + " scale " + std::to_string(side.scale),
                         hex(observed, 2), hex(truth, 2)});
        }
      }
    }
  }
}

void count_pair(const engine::KvScales& scales, Tally& tally) {
  if (scales.k == scales.v) tally.count("equal scales");
  if (scales.k == 1.0F && scales.v != 1.0F) tally.count("K's scale is 1");
  if (scales.v == 1.0F && scales.k != 1.0F) tally.count("V's scale is 1");
}

void check_pair(const KvSubject& subject, const engine::KvScales& scales, Draw& draw, Tally& tally) {
  KvShape shape;
  std::int64_t const lanes = shape.kv_heads * shape.head_dim;
  std::int64_t const stored = (codes + lanes - 1) / lanes;
  shape.pages = stored / shape.block_tokens + 2;
  shape.scales = scales;
  count_pair(scales, tally);
  KvFixture fixture(shape, 0x7F);
  auto slots = permutation(shape.pages * shape.block_tokens, draw.bits("slots"));
  slots.resize(static_cast<std::size_t>(stored));
  auto const tokens = tokens_of(slots, tally);
  slots.clear();
  for (auto const& token : tokens) slots.push_back(token.slot);
  Side const k{false, scales.k, source_of(tokens, lanes, false)};
  Side const v{true, scales.v, source_of(tokens, lanes, true)};
  subject.store({k.source.data(), engine::DType::bf16}, {v.source.data(), engine::DType::bf16}, slots, fixture.layer);
  check_side(fixture, k, tokens, tally);
  check_side(fixture, v, tokens, tally);
}

}  // namespace

LawVerdict stored_byte_is_nearest(const KvSubject& subject) {
  Law law{"stored_byte_is_nearest", subject.name, "exact: byte = nearest_e4m3fn(RNE_float32(x / scale)), ties to even, saturating"};
  law.floors = {{"normal", 30000},          {"ties", 500},       {"subnormal", 1000},   {"saturated", 10000},
                {"underflowed", 10000},     {"nan", 1000},       {"zeros", 4},          {"padding between tokens", 100},
                {"slots named twice", 100}, {"equal scales", 1}, {"K's scale is 1", 1}, {"V's scale is 1", 1}};
  law.separates = {"store/kv_swap",          "store/scale_x8",         "store/scale_x1_01",          "both/scales_swapped",
                   "bits/reciprocal_scalar", "store/stops_at_padding", "store/padding_takes_no_row", "store/first_of_a_slot_stays",
                   "store/v_scale_1_as_k"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    for (auto const& scales : scale_pairs) check_pair(subject, scales, draw, tally);
  });
}

}  // namespace redproof::properties
