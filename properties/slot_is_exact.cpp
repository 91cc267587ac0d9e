// The slot of a position is its block's, through any table: against truth that walks the table, up to slots that need more than 32 bits.
// Positions outside of the table and negative blocks are refused; the table is the front of a longer list, so that a stray step finds a
// block that is not its own.
#include "engine/kv/slots.h"
#include "engine/types/error.h"
#include "oracle/address/kv_address.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

std::string outcome(std::span<const std::int32_t> table, std::int64_t position, std::int32_t block_tokens) {
  try {
    return std::to_string(engine::slot_of(table, position, block_tokens));
  } catch (const engine::Refusal&) {
    return "refused";
  }
}

std::string truth_of(std::span<const std::int32_t> table, std::int64_t position, std::int32_t block_tokens) {
  auto const truth = oracle::slot_truth(table, position, block_tokens);
  return truth && truth->page >= 0 ? std::to_string(static_cast<std::int64_t>(truth->slot)) : "refused";
}

void check_position(std::span<const std::int32_t> table, std::int64_t position, std::int32_t block_tokens, Tally& tally) {
  std::string const truth = truth_of(table, position, block_tokens);
  std::string const observed = outcome(table, position, block_tokens);
  tally.count(truth == "refused" ? "refused" : truth.size() > 10 ? "past 32 bits" : "slots");
  if (tally.equal(observed == truth)) {
    tally.witness({"position " + std::to_string(position),
                   std::to_string(table.size()) + " blocks of " + std::to_string(block_tokens) + " tokens", observed, truth});
  }
}

// All ends of blocks, and the positions before the first and behind the last.
void check_table(std::span<const std::int32_t> table, std::int32_t block_tokens, Tally& tally) {
  for (std::int64_t block = 0; block <= std::ssize(table); ++block) {
    for (std::int64_t const offset : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{block_tokens / 2}}) {
      check_position(table, block * block_tokens + offset, block_tokens, tally);
    }
  }
  for (std::int64_t const position : {INT64_MIN, std::int64_t{-block_tokens}, INT64_MAX}) {
    check_position(table, position, block_tokens, tally);
  }
}

}  // namespace

LawVerdict slot_is_exact() {
  Law law{"slot_is_exact", "cpu", "exact: block * block_tokens + position % block_tokens, in 128 bits"};
  law.floors = {{"slots", 1000}, {"past 32 bits", 500}, {"refused", 60}};
  law.separates = {"slots/end_of_table", "slots/block_of_minus_1", "slots/slot_32_bits"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    auto seed = draw.bits("blocks");
    for (std::int32_t const block_tokens : {1, 5, 16, 65536}) {
      std::vector<std::int32_t> low;   // a block in five is negative
      std::vector<std::int32_t> high;  // up to the last id
      for (std::int32_t i = 0; i < 301; ++i) {
        low.push_back(i % 5 == 3 ? -1 - i / 5 : static_cast<std::int32_t>(next_bits(seed) % 1000));
        high.push_back(INT32_MAX - static_cast<std::int32_t>(next_bits(seed) % 1000));
      }
      for (auto const* const blocks : {&low, &high}) {
        check_table(std::span(*blocks).first(300), block_tokens, tally);
        check_table(std::span(*blocks).first(0), block_tokens, tally);
      }
    }
  });
}

}  // namespace redproof::properties
