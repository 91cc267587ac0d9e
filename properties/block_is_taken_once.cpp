// The block pool is a set: it hands out the lowest free block, each once until it is given back, and takes back only what it handed out.
// Against truth that keeps the taken ids in a set, over drawn sequences of takes and gives, wrong ones included.
#include <set>

#include "engine/kv/cache.h"
#include "engine/types/error.h"
#include "properties/generators/kv_fixture.h"
#include "properties/laws.h"

namespace redproof::properties {
namespace {

struct Truth {
  std::int64_t blocks;
  std::set<std::int64_t> taken = {};

  std::string take() {
    for (std::int64_t block = 0; block < blocks; ++block) {
      if (taken.insert(block).second) return std::to_string(block);
    }
    return "refused";
  }
  std::string give(std::int64_t block) { return taken.erase(block) == 1 ? "taken back" : "refused"; }
};

std::string take(engine::BlockPool& pool) {
  try {
    return std::to_string(pool.take());
  } catch (const engine::Refusal&) {
    return "refused";
  }
}

std::string give(engine::BlockPool& pool, std::int32_t block) {
  try {
    pool.give(block);
  } catch (const engine::Refusal&) {
    return "refused";
  }
  return "taken back";
}

void check(const std::string& what, const std::string& inputs, const std::string& observed, const std::string& truth, Tally& tally) {
  if (tally.equal(observed == truth)) tally.witness({what, inputs, observed, truth});
}

// Takes outnumber gives at first, so that the pool runs out and empties again; a give names any id from -2 to 2 past the end.
void check_pool(std::int64_t blocks, std::uint64_t seed, Tally& tally) {
  engine::BlockPool pool(blocks);
  Truth truth{blocks};
  for (std::int64_t step = 0; step < 8 * blocks + 20; ++step) {
    std::string const inputs = "step " + std::to_string(step) + " of a pool of " + std::to_string(blocks);
    bool const takes = next_bits(seed) % 4 < (step < 4 * blocks ? 3U : 1U);
    auto const block = static_cast<std::int32_t>(next_bits(seed) % static_cast<std::uint64_t>(blocks + 4)) - 2;
    std::string const right = takes ? truth.take() : truth.give(block);
    tally.count(std::string(takes ? "takes" : "gives") + (right == "refused" ? ", refused" : ""));
    check(takes ? "take" : "give of block " + std::to_string(block), inputs, takes ? take(pool) : give(pool, block), right, tally);
    check("free blocks", inputs, std::to_string(pool.free_blocks()), std::to_string(blocks - std::ssize(truth.taken)), tally);
  }
}

}  // namespace

LawVerdict block_is_taken_once() {
  Law law{"block_is_taken_once", "cpu", "exact: a set of ids"};
  law.floors = {{"takes", 300}, {"takes, refused", 30}, {"gives", 300}, {"gives, refused", 100}};
  law.separates = {"pool/given_back_twice"};
  return run_law(law, [](Draw& draw, Tally& tally) {
    auto const seed = draw.bits("steps");
    for (std::int64_t const blocks : {1, 2, 7, 300}) check_pool(blocks, seed, tally);
  });
}

}  // namespace redproof::properties
