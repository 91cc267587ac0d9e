#include "gates/runner/exit_code.h"

#include <array>
#include <vector>

#include "tests/catch.h"

using namespace redproof::gates;

TEST_CASE("of two codes the one told is the louder, in either order", "[exit_code]") {
  std::array const loudest_first = {130, 9, 70, 1, 6, 5, 4, 2, 10, 7, 8, 12, 3, 11, 0};
  for (std::size_t i = 0; i < loudest_first.size(); ++i) {
    for (std::size_t j = i; j < loudest_first.size(); ++j) {
      CHECK(louder(loudest_first[i], loudest_first[j]) == loudest_first[i]);
      CHECK(louder(loudest_first[j], loudest_first[i]) == loudest_first[i]);
    }
  }
}

TEST_CASE("a code that nobody declared counts as an internal error", "[exit_code]") {
  CHECK(louder(99, 0) == 70);
  CHECK(louder(99, 1) == 70);
  CHECK(louder(-1, 9) == 9);
}

TEST_CASE("the loudest of many is found wherever it stands, and of none it is 0", "[exit_code]") {
  CHECK(loudest(std::vector<int>{}) == 0);
  CHECK(loudest(std::vector<int>{0, 8, 2, 11}) == 2);
  CHECK(loudest(std::vector<int>{0, 11, 3}) == 3);
  CHECK(loudest(std::vector<int>{130, 9, 0}) == 130);
}
