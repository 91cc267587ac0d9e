#include "engine/serve/sequences.h"

#include "tests/catch.h"

using namespace redproof::engine;

TEST_CASE("sequences take blocks as they grow, interleaved, and give all back", "[sequences]") {
  BlockPool pool(6);
  {
    Sequences sequences(pool, 4, {{1, 2, 3, 4, 5}, {6}});
    CHECK(pool.free_blocks() == 6);
    const SequenceChunk first = sequences.next_chunk(0, 3);
    CHECK(std::vector(first.tokens.begin(), first.tokens.end()) == std::vector<std::int32_t>{1, 2, 3});
    CHECK(first.first_position == 0);
    CHECK_FALSE(sequences.is_stored(0));
    sequences.next_chunk(1, 9);
    CHECK(sequences.is_stored(1));
    const SequenceChunk rest = sequences.next_chunk(0, 9);
    CHECK(std::vector(rest.tokens.begin(), rest.tokens.end()) == std::vector<std::int32_t>{4, 5});
    CHECK(rest.first_position == 3);
    CHECK(std::vector(rest.block_table.begin(), rest.block_table.end()) == std::vector<std::int32_t>{0, 2});
    CHECK(pool.free_blocks() == 3);
    sequences.append(1, 7);
    CHECK_FALSE(sequences.is_stored(1));
    CHECK(sequences.size(1) == 2);
    CHECK(sequences.next_chunk(1, 1).first_position == 1);
    CHECK(pool.free_blocks() == 3);
  }
  CHECK(pool.free_blocks() == 6);
}
