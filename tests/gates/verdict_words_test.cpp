#include "gates/runner/verdict_words.h"

#include "tests/catch.h"

using namespace redproof::gates;

namespace {

constexpr Verdict all[] = {Verdict::green,   Verdict::attested,   Verdict::red,   Verdict::vacuous,
                           Verdict::skipped, Verdict::unattested, Verdict::broken};

}  // namespace

TEST_CASE("every verdict has a word of its own that reads back", "[verdict_words]") {
  for (auto const verdict : all) CHECK(verdict_of(word(verdict)) == verdict);
  CHECK(word(Verdict::green) == "green");
  CHECK(word(Verdict::broken) == "broken");
  CHECK_FALSE(verdict_of("pass").has_value());
  CHECK_FALSE(verdict_of("Green").has_value());
  CHECK_FALSE(verdict_of("").has_value());
}

TEST_CASE("only green and attested are green", "[verdict_words]") {
  for (auto const verdict : all) CHECK(is_green(verdict) == (verdict == Verdict::green || verdict == Verdict::attested));
}

TEST_CASE("a verdict's exit code is 0 where green, 2 where red, 8 where nothing is shown", "[verdict_words]") {
  CHECK(exit_code_of(Verdict::green) == 0);
  CHECK(exit_code_of(Verdict::attested) == 0);
  CHECK(exit_code_of(Verdict::red) == 2);
  for (auto const verdict : {Verdict::vacuous, Verdict::skipped, Verdict::unattested, Verdict::broken}) CHECK(exit_code_of(verdict) == 8);
}
