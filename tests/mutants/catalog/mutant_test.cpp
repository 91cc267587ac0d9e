#include "mutants/driver/catalog/mutant.h"

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("a mutant's gates are told once each, reds first", "[catalog]") {
  Mutant mutant;
  mutant.reds = {{"b", "x"}, {"b", "y"}, {"a", "z"}};
  mutant.keeps_green = {"c"};
  CHECK(mutant.gates() == std::vector<std::string>{"b", "a", "c"});
  mutant.witness.gate = "d";
  CHECK(mutant.gates().back() == "d");
}

TEST_CASE("a word that an edit does not have is empty", "[catalog]") {
  Edit edit;
  edit.words["with"] = "x";
  CHECK(edit.word("with") == "x");
  CHECK(edit.word("within").empty());
  CHECK(word(EditKind::narrow_type) == "narrow_type");
  CHECK(word(Expectation::crash) == "crash");
}
