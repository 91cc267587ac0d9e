// A NaN code in one lane of V makes exactly that lane of the output NaN, for every row that sees the token and for no other, even where the
// token's weight is 0; a NaN code in K makes the log-sum-exp and the whole output NaN, first or later among visible tokens. Every lane of a
// head takes its turn, and so does every NaN code of a page's storage that a law of finite codes leaves out. In prefill and in decode.
#include <algorithm>
#include <cmath>

#include "oracle/attention/attention.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using engine::KvStorage;

constexpr std::int32_t group = 2;  // query heads of a KV head

std::vector<std::uint16_t> nan_codes(KvStorage storage) {
  if (storage == KvStorage::fp8_e4m3) return {0x7F, 0xFF};
  return {0x7FC0, 0xFFFF, 0x7F81};
}

enum class Place : std::uint8_t {
  k_even,        // in K of every second token, the first one included
  k_odd,         // in K of the others: a number comes before it
  v,             // in V of every token
  v_outweighed,  // and every second token, the second one included, has a score so low that its weight is 0
};

struct Planted {
  KvStorage storage;
  Place place;
  std::int64_t window_tokens;
  std::uint16_t code;
  AttentionPath path;

  bool value_side() const { return place == Place::v || place == Place::v_outweighed; }
};

// Token t's head h holds its NaN in lane t + h * tokens, wrapped: tokens * heads lanes in a row, at least one round.
bool is_planted(const Planted& planted, const KvShape& shape, std::int64_t tokens, const engine::KvCoordinate& at, std::int64_t token) {
  if (!planted.value_side() && token % 2 != (planted.place == Place::k_odd ? 1 : 0)) return false;
  return (token + at.head * tokens) % shape.head_dim == at.lane;
}

std::uint16_t number_at(KvStorage storage, std::uint64_t random) {
  if (storage == KvStorage::bfloat16) return static_cast<std::uint16_t>((random & 0x807F) | (124 + random % 3) << 7);
  return static_cast<std::uint16_t>((random & 0x87) | (6 + random % 3) << 3);
}

// With queries of 1/8, K's scale of 0.06 and 20 lanes or more, scores of +-448 are more than 134 apart: exp(-134) is 0 in float32.
std::uint16_t outweighed_at(KvStorage storage, std::int64_t token) {
  std::uint16_t const large = storage == KvStorage::bfloat16 ? 0x43E0 : 0x7E;
  std::uint16_t const sign = storage == KvStorage::bfloat16 ? 0x8000 : 0x80;
  return token % 2 == 0 ? large : large | sign;
}

void fill(KvFixture& fixture, const KvShape& shape, const Planted& planted, std::span<const std::int64_t> slots, std::uint64_t seed) {
  for (std::size_t token = 0; token < slots.size(); ++token) {
    for (std::int32_t head = 0; head < shape.kv_heads; ++head) {
      for (std::int32_t lane = 0; lane < shape.head_dim; ++lane) {
        auto const at = coordinate_of(slots[token], shape.block_tokens, head, lane);
        bool const nan = is_planted(planted, shape, std::ssize(slots), at, static_cast<std::int64_t>(token));
        for (bool const value_side : {false, true}) {
          bool const here = nan && value_side == planted.value_side();
          fixture.set_bits(value_side, at, here ? planted.code : number_at(shape.storage, next_bits(seed)));
        }
        if (planted.place == Place::v_outweighed) {
          fixture.set_bits(false, at, outweighed_at(shape.storage, static_cast<std::int64_t>(token)));
        }
      }
    }
  }
}

// Whether a NaN lies in this lane (of V), or in any lane (of K), of a token that the row sees.
bool row_sees_nan(const Planted& planted, const KvShape& shape, std::int64_t tokens, std::int64_t row, const engine::KvCoordinate& at) {
  std::int64_t const begin = planted.window_tokens > 0 ? std::max<std::int64_t>(0, row - planted.window_tokens + 1) : 0;
  for (std::int64_t token = begin; token <= row; ++token) {
    if (!planted.value_side() && token % 2 == (planted.place == Place::k_odd ? 1 : 0)) return true;
    if (planted.value_side() && is_planted(planted, shape, tokens, at, token)) return true;
  }
  return false;
}

struct Results {
  std::vector<float> out;  // [tokens, q_heads, head_dim]
  std::vector<float> lse;  // [tokens, q_heads]
};

Results attend_all(const KvSubject& subject, const KvFixture& fixture, std::span<const std::int32_t> table, std::int64_t tokens,
                   AttentionPath path) {
  std::int32_t const q_heads = fixture.layer.spec.kv_heads * group;
  auto const rows = static_cast<std::size_t>(tokens * q_heads);
  std::vector<float> const q(rows * static_cast<std::size_t>(fixture.layer.spec.head_dim), 0.125F);
  Results results{std::vector<float>(q.size()), std::vector<float>(rows)};
  std::vector<engine::AttentionSequence> sequences;
  if (path == AttentionPath::prefill) sequences.push_back({0, tokens, 0, table});
  for (std::int64_t row = 0; path == AttentionPath::decode && row < tokens; ++row) sequences.push_back({row, 1, row, table});
  subject.attend({q.data(), results.out.data(), results.lse.data(), q_heads, 1.0F, sequences}, fixture.layer);
  return results;
}

void check_element(float observed, bool nan, const std::string& where, const Planted& planted, Tally& tally) {
  tally.count(nan ? "NaN" : "numbers");
  if (tally.equal(std::isnan(observed) == nan)) {
    tally.witness({where, "code " + hex(planted.code, planted.storage == KvStorage::fp8_e4m3 ? 2 : 4), std::to_string(observed),
                   nan ? "NaN" : "a number"});
  }
}

void check_case(const KvSubject& subject, KvShape shape, const Planted& planted, std::uint64_t seed, Tally& tally) {
  std::int64_t const tokens = (shape.head_dim + shape.kv_heads - 1) / shape.kv_heads;
  shape.storage = planted.storage;
  shape.window_tokens = planted.window_tokens;
  shape.pages = tokens / shape.block_tokens + 3;
  KvFixture fixture(shape, 0xFF);
  std::vector<std::int32_t> table;
  for (auto const page : permutation(shape.pages, seed)) table.push_back(static_cast<std::int32_t>(page));
  std::vector<std::int64_t> slots;
  for (std::int64_t token = 0; token < tokens; ++token) {
    slots.push_back(table[static_cast<std::size_t>(token / shape.block_tokens)] * std::int64_t{shape.block_tokens} +
                    token % shape.block_tokens);
  }
  fill(fixture, shape, planted, slots, seed);
  auto const results = attend_all(subject, fixture, table, tokens, planted.path);
  if (planted.window_tokens == 0) tally.count(planted.place == Place::v_outweighed ? "weights of 0" : "several visible tokens");
  std::size_t row = 0;
  for (std::int64_t token = 0; token < tokens; ++token) {
    for (std::int32_t q_head = 0; q_head < shape.kv_heads * group; ++q_head, ++row) {
      auto const head = static_cast<std::int32_t>(oracle::kv_head_of(q_head, shape.kv_heads * group, shape.kv_heads));
      std::string const where = "row " + std::to_string(token) + " query head " + std::to_string(q_head) + " window " +
                                std::to_string(planted.window_tokens) + " head_dim " + std::to_string(shape.head_dim) +
                                (planted.path == AttentionPath::decode ? " decode" : " prefill");
      if (!planted.value_side()) {
        check_element(results.lse[row], row_sees_nan(planted, shape, tokens, token, {0, 0, head, 0}), where + " lse", planted, tally);
      }
      for (std::int32_t lane = 0; lane < shape.head_dim; ++lane) {
        check_element(results.out[row * static_cast<std::size_t>(shape.head_dim) + static_cast<std::size_t>(lane)],
                      row_sees_nan(planted, shape, tokens, token, {0, 0, head, lane}), where + " lane " + std::to_string(lane), planted,
                      tally);
      }
    }
  }
}

void check_places(const KvSubject& subject, const KvShape& shape, Planted planted, std::uint64_t seed, Tally& tally) {
  for (auto const place : {Place::k_even, Place::k_odd, Place::v, Place::v_outweighed}) {
    for (auto const path : {AttentionPath::prefill, AttentionPath::decode}) {
      planted.place = place;
      planted.path = path;
      check_case(subject, shape, planted, seed, tally);
    }
  }
}

}  // namespace

LawVerdict nan_code_reads_as_nan(const KvSubject& subject) {
  Law law{"nan_code_reads_as_nan", subject.name,
          "exact: an output lane is NaN where a V that its row sees is; lse and every lane where a K is"};
  law.floors = {{"NaN", 1000}, {"numbers", 10000}, {"several visible tokens", 60}, {"weights of 0", 20}};
  law.separates = {"bits/decode_nan_is_480_scalar", "bits/decode_nan_is_480_avx2",  "bits/decode_nan_is_zero_avx2",
                   "bits/decode_negative_nan_lost", "attention/nan_score_weighs_0", "attention/weight_0_skipped"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    auto const seed = draw.bits("numbers");
    for (auto const storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
      for (auto const code : nan_codes(storage)) {
        for (std::int32_t const head_dim : {20, 64}) {
          KvShape shape;
          shape.head_dim = head_dim;
          shape.scales = {0.06F, 1.75F};
          for (std::int64_t const window : {1, 0}) check_places(subject, shape, {storage, Place::v, window, code, {}}, seed, tally);
        }
      }
    }
  });
}

}  // namespace redproof::properties
