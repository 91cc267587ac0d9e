// Rows far into a sequence read their own element: past the 256th, the 65,536th and the 2^31st position, through tables of more blocks
// and from pages of higher numbers than narrow integers hold. With a window of one token each row costs one token, wherever it stands.
#include <cmath>

#include "oracle/address/kv_address.h"
#include "oracle/format.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

using engine::KvStorage;

struct Far {
  std::int64_t first_position;
  std::int32_t block_tokens;
  std::int64_t pages;
};

// The last one goes through one page again and again: 2^31 positions in 32768 blocks of 65536 tokens.
constexpr Far far[] = {{255, 1, 300}, {32767, 1, 32800}, {65535, 1, 66000}, {40000, 16, 33000}, {(std::int64_t{1} << 31) - 1, 65536, 1}};

constexpr std::int64_t rows = 3;  // in prefill; decode takes one after the other
constexpr std::int32_t group = 2;

// Blocks of the highest numbers first, so that the rows at the end of the table read low ones and high ones in turn.
std::vector<std::int32_t> table_of(const Far& at) {
  std::vector<std::int32_t> table;
  for (std::int64_t block = 0; block <= (at.first_position + rows) / at.block_tokens; ++block) {
    table.push_back(static_cast<std::int32_t>(block % 2 == 0 ? at.pages - 1 - block % at.pages : block % at.pages));
  }
  return table;
}

// The code of a place: neighbours differ, and so do places 2^8, 2^15, 2^16 and 2^31 apart. No NaN.
std::uint64_t code_of(KvStorage storage, std::int64_t slot, std::int32_t lane, bool value_side) {
  std::uint64_t state = static_cast<std::uint64_t>(slot * 16 + lane * 2 + (value_side ? 1 : 0));
  std::uint64_t const random = next_bits(state);
  if (storage == KvStorage::bfloat16) return (random & 0x807F) | (118 + random % 17) << 7;
  return (random & 0x7F) == 0x7F ? random & 0xFE : random & 0xFF;
}

void fill(KvFixture& fixture, std::span<const oracle::SlotTruth> places) {
  auto const& spec = fixture.layer.spec;
  for (auto const& place : places) {
    for (std::int32_t lane = 0; lane < spec.head_dim; ++lane) {
      engine::KvCoordinate const at{place.page, static_cast<std::int32_t>(place.slot_in_page), 0, lane};
      for (bool const value_side : {false, true}) {
        fixture.set_bits(value_side, at, code_of(spec.storage, static_cast<std::int64_t>(place.slot), lane, value_side));
      }
    }
  }
}

void check_rows(const KvFixture& fixture, const ReadElements& read, std::span<const oracle::SlotTruth> places, const std::string& inputs,
                Tally& tally) {
  auto const& format = fixture.layer.spec.storage == KvStorage::fp8_e4m3 ? oracle::e4m3fn : oracle::bf16;
  std::size_t element = 0;
  for (auto const& place : places) {
    for (std::int32_t i = 0; i < group * fixture.layer.spec.head_dim; ++i, ++element) {
      engine::KvCoordinate const at{place.page, static_cast<std::int32_t>(place.slot_in_page), 0, i % fixture.layer.spec.head_dim};
      for (bool const value_side : {false, true}) {
        double const truth = oracle::value_of(format, static_cast<std::uint32_t>(fixture.bits_at(value_side, at)));
        double const observed = static_cast<double>((value_side ? read.v : read.k)[element]);
        if (tally.within(std::fabs(observed - truth), 0.0)) {
          tally.witness({coordinate_text(value_side ? "V" : "K", at), inputs, std::to_string(observed), std::to_string(truth)});
        }
      }
    }
  }
}

void check_far(const KvSubject& subject, const Far& at, KvStorage storage, Tally& tally) {
  KvShape shape;
  shape.storage = storage;
  shape.pages = at.pages;
  shape.block_tokens = at.block_tokens;
  shape.kv_heads = 1;
  shape.head_dim = 4;
  shape.window_tokens = 1;  // scales are 1: they are another law's
  KvFixture fixture(shape, 0xFF);
  auto const table = table_of(at);
  std::vector<oracle::SlotTruth> places;
  for (std::int64_t row = 0; row < rows; ++row) {
    places.push_back(oracle::slot_truth(table, at.first_position + row, at.block_tokens).value());
    if (places.back().page > 32767) tally.count("pages past 15 bits");
  }
  fill(fixture, places);
  tally.count(at.first_position > INT32_MAX - rows ? "rows past 31 bits" : "rows past 8, 15 and 16 bits");
  for (auto const path : {AttentionPath::decode, AttentionPath::prefill}) {
    auto const read = read_through_attention(subject, fixture.layer, table, rows, group, path, at.first_position);
    std::string const inputs = std::string(path == AttentionPath::decode ? "decode" : "prefill") + " from position " +
                               std::to_string(at.first_position) + ", blocks of " + std::to_string(at.block_tokens);
    check_rows(fixture, read, places, inputs, tally);
  }
}

}  // namespace

LawVerdict far_position_is_read(const KvSubject& subject) {
  Law law{"far_position_is_read", subject.name, "exact: decode(code) at the oracle's address"};
  law.floors = {{"rows past 8, 15 and 16 bits", 8}, {"rows past 31 bits", 2}, {"pages past 15 bits", 4}};
  law.separates = {"read/table_index_8_bits", "attention/position_16_bits", "read/page_15_bits"};
  return run_law(law, [&subject](Draw&, Tally& tally) {
    for (auto const& at : far) {
      for (auto const storage : {KvStorage::fp8_e4m3, KvStorage::bfloat16}) check_far(subject, at, storage, tally);
    }
  });
}

}  // namespace redproof::properties
