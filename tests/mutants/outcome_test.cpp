#include "mutants/driver/outcome.h"

#include <set>

#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("every outcome has a word of its own that leads back to it", "[outcome]") {
  std::set<std::string_view> words;
  for (Outcome const outcome : all_outcomes) {
    words.insert(word(outcome));
    CHECK(outcome_of(word(outcome)) == outcome);
  }
  CHECK(words.size() == all_outcomes.size());
  CHECK_FALSE(outcome_of("passed").has_value());
}

TEST_CASE("an outcome that was declared asks for 0, every other for the code of the table", "[outcome]") {
  for (Outcome const outcome : all_outcomes) {
    CHECK(exit_code_of(outcome, true) == 0);
    CHECK(exit_code_of(outcome, false) != 0);
  }
  for (Outcome const outcome : {Outcome::survived, Outcome::not_reached, Outcome::wrong_gate, Outcome::equivalent, Outcome::duplicate})
    CHECK(exit_code_of(outcome, false) == 2);
  for (Outcome const outcome : {Outcome::wrong_reason, Outcome::collateral, Outcome::crash, Outcome::oom})
    CHECK(exit_code_of(outcome, false) == 10);
  CHECK(exit_code_of(Outcome::timeout, false) == 3);
  CHECK(exit_code_of(Outcome::unproved, false) == 4);
  CHECK(exit_code_of(Outcome::stale, false) == 7);
  CHECK(exit_code_of(Outcome::unviable, false) == 7);
  CHECK(exit_code_of(Outcome::no_evidence, false) == 8);
}
