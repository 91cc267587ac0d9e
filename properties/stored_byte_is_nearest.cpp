// Every bfloat16 code, on each side, at each pair of scales: the byte in memory is the oracle's byte, found at the oracle's address.
#include "oracle/nearest.h"
#include "oracle/stored_byte.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

constexpr std::int64_t codes = 1 << 16;
constexpr engine::KvScales scale_pairs[] = {
    {0.25F, 2.0F},   // powers of two: 1 in 16 codes is a tie
    {0.06F, 0.35F},  // a reciprocal instead of a division shows at 0.06
    {0.35F, 0.06F},
    {1e-3F, 3000.0F}  // K saturates, V underflows
};

// K holds code i at element i; V holds another code there, so that neither side can stand for the other.
std::uint16_t v_code(std::int64_t element) { return static_cast<std::uint16_t>(element * 40503 + 12345); }

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
  const std::vector<std::uint16_t>& source;
};

void check_side(const KvFixture& fixture, const Side& side, std::span<const std::int64_t> slots, Tally& tally) {
  auto const& spec = fixture.layer.spec;
  std::int64_t element = 0;
  for (std::int64_t const slot : slots) {
    for (std::int32_t head = 0; head < spec.kv_heads; ++head) {
      for (std::int32_t lane = 0; lane < spec.head_dim; ++lane, ++element) {
        std::uint16_t const code = side.source[static_cast<std::size_t>(element)];
        engine::KvCoordinate const at{slot / spec.block_tokens, static_cast<std::int32_t>(slot % spec.block_tokens), head, lane};
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

void check_pair(const KvSubject& subject, const engine::KvScales& scales, Draw& draw, Tally& tally) {
  KvShape shape;
  std::int64_t const lanes = shape.kv_heads * shape.head_dim;
  std::int64_t const tokens = (codes + lanes - 1) / lanes;
  shape.pages = tokens / shape.block_tokens + 2;
  shape.scales = scales;
  KvFixture fixture(shape, 0x7F);
  auto slots = permutation(shape.pages * shape.block_tokens, draw.bits("slots"));
  slots.resize(static_cast<std::size_t>(tokens));
  std::vector<std::uint16_t> k(static_cast<std::size_t>(tokens * lanes));
  std::vector<std::uint16_t> v(k.size());
  for (std::size_t i = 0; i < k.size(); ++i) {
    k[i] = static_cast<std::uint16_t>(i);
    v[i] = v_code(static_cast<std::int64_t>(i));
  }
  subject.store({k.data(), engine::DType::bf16}, {v.data(), engine::DType::bf16}, slots, fixture.layer);
  check_side(fixture, {false, scales.k, k}, slots, tally);
  check_side(fixture, {true, scales.v, v}, slots, tally);
}

}  // namespace

LawVerdict stored_byte_is_nearest(const KvSubject& subject) {
  Law law{"stored_byte_is_nearest", subject.name, "exact: byte = nearest_e4m3fn(RNE_float32(x / scale)), ties to even, saturating"};
  law.floors = {{"normal", 30000},      {"ties", 500}, {"subnormal", 1000}, {"saturated", 10000},
                {"underflowed", 10000}, {"nan", 1000}, {"zeros", 4}};
  law.separates = {"store/kv_swap", "store/scale_x8", "store/scale_x1_01", "both/scales_swapped", "bits/reciprocal_scalar"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    for (auto const& scales : scale_pairs) check_pair(subject, scales, draw, tally);
  });
}

}  // namespace redproof::properties
