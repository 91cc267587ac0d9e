// A NaN code in one lane of V makes exactly that lane of the output NaN, for every row that sees the token and for no other; a NaN code in
// K makes the log-sum-exp NaN. Every lane of a head takes its turn, and so does every NaN code of a page's storage that a law of finite
// codes leaves out.
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

struct Planted {
  KvStorage storage;
  bool value_side;
  std::int64_t window_tokens;
  std::uint16_t code;
};

// Token t's head h holds its NaN in lane t + h * tokens, wrapped: tokens * heads lanes in a row, at least one round. On K's side only
// every second token holds one.
bool is_planted(const Planted& planted, const KvShape& shape, std::int64_t tokens, const engine::KvCoordinate& at, std::int64_t token) {
  if (!planted.value_side && token % 2 != 0) return false;
  return (token + at.head * tokens) % shape.head_dim == at.lane;
}

std::uint16_t number_at(KvStorage storage, std::uint64_t random) {
  if (storage == KvStorage::bfloat16) return static_cast<std::uint16_t>((random & 0x807F) | (124 + random % 3) << 7);
  return static_cast<std::uint16_t>((random & 0x87) | (6 + random % 3) << 3);
}

void fill(KvFixture& fixture, const KvShape& shape, const Planted& planted, std::span<const std::int64_t> slots, std::uint64_t seed) {
  for (std::size_t token = 0; token < slots.size(); ++token) {
    for (std::int32_t head = 0; head < shape.kv_heads; ++head) {
      for (std::int32_t lane = 0; lane < shape.head_dim; ++lane) {
        auto const at = coordinate_of(slots[token], shape.block_tokens, head, lane);
        bool const nan = is_planted(planted, shape, std::ssize(slots), at, static_cast<std::int64_t>(token));
        for (bool const value_side : {false, true}) {
          bool const here = nan && value_side == planted.value_side;
          fixture.set_bits(value_side, at, here ? planted.code : number_at(shape.storage, next_bits(seed)));
        }
      }
    }
  }
}

// Whether a NaN lies in this lane (of V), or in any lane (of K), of a token that the row sees.
bool row_sees_nan(const Planted& planted, const KvShape& shape, std::int64_t tokens, std::int64_t row, const engine::KvCoordinate& at) {
  std::int64_t const begin = planted.window_tokens > 0 ? std::max<std::int64_t>(0, row - planted.window_tokens + 1) : 0;
  for (std::int64_t token = begin; token <= row; ++token) {
    if (!planted.value_side && token % 2 == 0) return true;
    if (planted.value_side && is_planted(planted, shape, tokens, at, token)) return true;
  }
  return false;
}

struct Results {
  std::vector<float> out;  // [tokens, q_heads, head_dim]
  std::vector<float> lse;  // [tokens, q_heads]
};

Results attend_all(const KvSubject& subject, const KvFixture& fixture, std::span<const std::int32_t> table, std::int64_t tokens) {
  std::int32_t const q_heads = fixture.layer.spec.kv_heads * group;
  auto const rows = static_cast<std::size_t>(tokens * q_heads);
  std::vector<float> const q(rows * static_cast<std::size_t>(fixture.layer.spec.head_dim), 0.125F);
  Results results{std::vector<float>(q.size()), std::vector<float>(rows)};
  std::vector<engine::AttentionSequence> const sequences = {{0, tokens, 0, table}};
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
  auto const results = attend_all(subject, fixture, table, tokens);
  std::size_t row = 0;
  for (std::int64_t token = 0; token < tokens; ++token) {
    for (std::int32_t q_head = 0; q_head < shape.kv_heads * group; ++q_head, ++row) {
      auto const head = static_cast<std::int32_t>(oracle::kv_head_of(q_head, shape.kv_heads * group, shape.kv_heads));
      std::string const where = "row " + std::to_string(token) + " query head " + std::to_string(q_head) + " window " +
                                std::to_string(planted.window_tokens) + " head_dim " + std::to_string(shape.head_dim);
      if (!planted.value_side) {
        check_element(results.lse[row], row_sees_nan(planted, shape, tokens, token, {0, 0, head, 0}), where + " lse", planted, tally);
        continue;
      }
      for (std::int32_t lane = 0; lane < shape.head_dim; ++lane) {
        check_element(results.out[row * static_cast<std::size_t>(shape.head_dim) + static_cast<std::size_t>(lane)],
                      row_sees_nan(planted, shape, tokens, token, {0, 0, head, lane}), where + " lane " + std::to_string(lane), planted,
                      tally);
      }
    }
  }
}

}  // namespace

LawVerdict nan_code_reads_as_nan(const KvSubject& subject) {
  Law law{"nan_code_reads_as_nan", subject.name, "exact: an output lane is NaN where a V that its row sees is; lse where a K is"};
  law.floors = {{"NaN", 1000}, {"numbers", 10000}};
  law.separates = {"bits/decode_nan_is_480_scalar", "bits/decode_nan_is_480_avx2", "bits/decode_nan_is_zero_avx2",
                   "bits/decode_negative_nan_lost"};
  return run_law(law, [&subject](Draw& draw, Tally& tally) {
    auto const seed = draw.bits("numbers");
    for (auto const storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) {
      for (auto const code : nan_codes(storage)) {
        for (std::int32_t const head_dim : {20, 64}) {
          KvShape shape;
          shape.head_dim = head_dim;
          shape.scales = {0.06F, 1.75F};
          for (std::int64_t const window : {1, 0}) {
            for (bool const value_side : {false, true}) check_case(subject, shape, {storage, value_side, window, code}, seed, tally);
          }
        }
      }
    }
  });
}

}  // namespace redproof::properties
