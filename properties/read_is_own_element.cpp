// Attention reads every element of K and V from its own page, slot, head and lane, decoded and scaled by its own side's scale: pages of
// random codes are read back through production attention, with a window of one token, on the decode and on the prefill path. V comes
// back with every bit, the sign of a zero too; a score is a sum that starts at zero, so K's zeros have no sign.
#include <cmath>
#include <cstring>

#include "oracle/address/kv_address.h"
#include "oracle/attention/attention.h"
#include "oracle/format.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using engine::KvStorage;

// A finite code: e4m3 without 0x7F and 0xFF, bfloat16 of moderate exponent.
std::uint64_t finite_code(KvStorage storage, std::uint64_t random) {
  if (storage == KvStorage::bfloat16) return (random & 0x807F) | (118 + random % 17) << 7;
  std::uint64_t const code = random & 0xFF;
  return (code & 0x7F) == 0x7F ? code ^ 1 : code;
}

void fill_owned(KvFixture& fixture, std::span<const std::int32_t> table, std::int64_t tokens, std::uint64_t seed) {
  auto const& spec = fixture.layer.spec;
  for (auto const& slot : oracle::slots_of_sequence(table, tokens, spec.block_tokens)) {
    for (std::int32_t head = 0; head < spec.kv_heads; ++head) {
      for (std::int32_t lane = 0; lane < spec.head_dim; ++lane) {
        engine::KvCoordinate const at{slot.page, static_cast<std::int32_t>(slot.slot_in_page), head, lane};
        fixture.set_bits(false, at, finite_code(spec.storage, next_bits(seed)));
        fixture.set_bits(true, at, finite_code(spec.storage, next_bits(seed)));
      }
    }
  }
}

double truth_of(const KvFixture& fixture, bool value_side, const engine::KvCoordinate& at) {
  auto const& layer = fixture.layer;
  auto const code = static_cast<std::uint32_t>(fixture.bits_at(value_side, at));
  if (layer.spec.storage == KvStorage::bfloat16) return oracle::value_of(oracle::bf16, code);
  float const scale = value_side ? layer.scales.v : layer.scales.k;
  return static_cast<double>(static_cast<float>(oracle::value_of(oracle::e4m3fn, code) * static_cast<double>(scale)));
}

// 0 where the element is right; the sign of V's zero counts.
double error_of(double observed, double truth, bool value_side) {
  if (value_side && observed == truth && std::signbit(observed) != std::signbit(truth)) return 1.0;
  return std::fabs(observed - truth);
}

struct Reading {
  const KvFixture& fixture;
  const ReadElements& read;
  std::span<const std::int32_t> table;
  std::int64_t tokens;
  std::int32_t q_heads;
  const char* path;
};

void check_reading(const Reading& reading, Tally& tally) {
  auto const& spec = reading.fixture.layer.spec;
  std::size_t element = 0;
  for (auto const& slot : oracle::slots_of_sequence(reading.table, reading.tokens, spec.block_tokens)) {
    for (std::int32_t q_head = 0; q_head < reading.q_heads; ++q_head) {
      auto const head = static_cast<std::int32_t>(oracle::kv_head_of(q_head, reading.q_heads, spec.kv_heads));
      for (std::int32_t lane = 0; lane < spec.head_dim; ++lane, ++element) {
        engine::KvCoordinate const at{slot.page, static_cast<std::int32_t>(slot.slot_in_page), head, lane};
        for (bool const value_side : {false, true}) {
          double const observed = static_cast<double>((value_side ? reading.read.v : reading.read.k)[element]);
          double const truth = truth_of(reading.fixture, value_side, at);
          if (value_side && truth == 0.0 && std::signbit(truth)) tally.count("negative zeros of V");
          if (tally.within(error_of(observed, truth, value_side), 0.0)) {
            tally.witness({coordinate_text(value_side ? "V" : "K", at) + " by query head " + std::to_string(q_head) + ", " + reading.path,
                           "code " + hex(reading.fixture.bits_at(value_side, at), 4), std::to_string(observed), std::to_string(truth)});
          }
        }
      }
    }
  }
}

struct Heads {
  std::int32_t kv_heads = 3;
  std::int32_t group = 4;  // query heads of a KV head
  std::int32_t head_dim = 20;
  bool outermost = false;
};

// Vectors of 64, 8 and 1 lanes together make up each head_dim of these; multi-query and multi-head attention are the ends of grouping.
constexpr Heads other_heads[] = {{1, 6, 64, false}, {3, 1, 136, false}, {2, 2, 84, true}, {1, 20, 12, false}, {2, 12, 4, false}};

// Scales that differ, that are 1 on one side, and that are alike.
constexpr engine::KvScales scale_pairs[] = {{0.06F, 1.75F}, {0.35F, 1.0F}, {1.0F, 0.06F}, {0.11F, 0.11F}};

void count_case(const Heads& heads, KvStorage storage, std::int64_t tokens, std::int32_t block_tokens, Tally& tally) {
  tally.count(storage == KvStorage::fp8_e4m3 ? "fp8 tokens" : "bf16 tokens", static_cast<std::uint64_t>(tokens));
  if (tokens > 64) tally.count("past one tile");
  if (tokens % block_tokens != 0) tally.count("partly filled block");
  if (heads.head_dim >= 64) tally.count("64 lanes and more");
  if (heads.kv_heads == 1) tally.count("one KV head");
  if (heads.group == 1) tally.count("a KV head for each query head");
  if (heads.group > 8) tally.count("more than 8 query heads a KV head");
  if (heads.outermost) tally.count("heads outside of slots");
}

void check_case(const KvSubject& subject, const Heads& heads, const engine::KvScales& scales, KvStorage storage, std::int64_t tokens,
                std::uint64_t seed, Tally& tally) {
  KvShape shape;
  shape.storage = storage;
  shape.kv_heads = heads.kv_heads;
  shape.head_dim = heads.head_dim;
  shape.heads_outermost = heads.outermost;
  shape.pages = tokens / shape.block_tokens + 9;
  shape.window_tokens = 1;
  shape.scales = scales;
  KvFixture fixture(shape, 0xFF);  // every byte that no token owns is NaN
  std::vector<std::int32_t> table;
  for (auto const page : permutation(shape.pages, seed)) table.push_back(static_cast<std::int32_t>(page));
  table.resize(static_cast<std::size_t>((tokens + shape.block_tokens - 1) / shape.block_tokens));
  fill_owned(fixture, table, tokens, seed);
  std::int32_t const q_heads = shape.kv_heads * heads.group;
  count_case(heads, storage, tokens, shape.block_tokens, tally);
  if (scales.k == 1.0F || scales.v == 1.0F) tally.count("one scale is 1");
  for (auto const path : {AttentionPath::decode, AttentionPath::prefill}) {
    auto const read = read_through_attention(subject, fixture.layer, table, tokens, q_heads, path);
    check_reading({fixture, read, table, tokens, q_heads, path == AttentionPath::decode ? "decode" : "prefill"}, tally);
  }
}

}  // namespace

LawVerdict read_is_own_element(const KvSubject& subject) {
  Law law{"read_is_own_element", subject.name, "exact: RNE_float32(decode(code) * scale) at the oracle's address"};
  law.cases = 4;
  law.floors = {{"fp8 tokens", 200},
                {"bf16 tokens", 200},
                {"past one tile", 4},
                {"partly filled block", 4},
                {"64 lanes and more", 24},
                {"one KV head", 8},
                {"a KV head for each query head", 8},
                {"heads outside of slots", 8},
                {"more than 8 query heads a KV head", 16},
                {"one scale is 1", 16},
                {"negative zeros of V", 20}};
  law.separates = {"read/v_from_k_page",      "read/offset_dropped", "read/head_modulo",        "read/v_with_k_scale",
                   "read/lanes_past_64_avx2", "read/group_of_8",     "attention/sums_from_zero"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    auto const tokens = draw.integer("tokens", 1, 40);
    auto const seed = draw.bits("codes");
    for (auto const storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
      check_case(subject, {}, scale_pairs[0], storage, tokens, seed, tally);
      check_case(subject, {}, scale_pairs[0], storage, 66 + tokens % 4, seed, tally);
      for (std::int64_t const around : {4, 5, 6, 10}) {  // b-1, b, b+1, 2b
        check_case(subject, {}, scale_pairs[around % 4], storage, around, seed, tally);
      }
      for (auto const& heads : other_heads) check_case(subject, heads, scale_pairs[0], storage, 7 + tokens % 5, seed, tally);
    }
  });
}

}  // namespace redproof::properties
