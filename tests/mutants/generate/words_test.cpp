#include "mutants/driver/generate/words.h"

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("names are words, however they are joined", "[generate]") {
  std::vector<std::string> const words{"v", "scale"};
  for (const char* name : {"v_scale", "vScale", "v_scale_", "v.scale", "V_SCALE"}) CHECK(words_of(name) == words);
  CHECK(has_word("layer.scales.k", "scale"));
  CHECK_FALSE(has_word("rescaled", "scale"));
}

TEST_CASE("neighbours differ in one word of several, or are a pair", "[generate]") {
  CHECK(are_neighbours("k_scale", "v_scale"));
  CHECK(are_neighbours("k", "v"));
  CHECK(are_neighbours("first", "last"));
  CHECK_FALSE(are_neighbours("k", "n"));
  CHECK_FALSE(are_neighbours("k_scale", "v_pages"));
  CHECK_FALSE(are_neighbours("k_scale", "k_scale"));
  CHECK_FALSE(are_neighbours("k_scale", "scale"));
}
