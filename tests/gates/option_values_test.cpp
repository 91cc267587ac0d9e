#include "gates/runner/option_values.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

std::string refusal_of(std::initializer_list<const char*> words) {
  std::vector<const char*> argv{"program"};
  argv.insert(argv.end(), words);
  return message_of([&] { refuse_empty_assignments(static_cast<int>(argv.size()), argv.data()); });
}

}  // namespace

TEST_CASE("a natural is digits alone, within its bounds", "[option_values]") {
  for (auto const* text : {"3", "7", "10"}) CHECK(no_natural(text, 3, 10).empty());
  for (auto const* text : {"", "2", "11", "-3", "+3", " 3", "3 ", "3x", "03", "010", "0x3", "3.0", "3e0", "18446744073709551620"})
    CHECK(no_natural(text, 3, 10) == "\"" + std::string(text) + "\" is no integer from 3 to 10");
  for (auto const* text : {"0", "18446744073709551615"}) CHECK(no_natural(text, 0, UINT64_MAX).empty());
  CHECK_FALSE(no_natural("18446744073709551616", 0, UINT64_MAX).empty());
}

TEST_CASE("a decimal is finite and unsigned, within its bounds", "[option_values]") {
  for (auto const* text : {"0.5", ".5", "5e-1", "50E-2", "1", "1.", "2", "2e+0"}) CHECK(no_decimal(text, 0.5, 2).empty());
  for (auto const* text :
       {"", "0.49", "2.01", "-1", "+1", " 1", "1 ", "1x", "0x1", "1e", ".", "nan", "nan(1)", "inf", "infinity", "1e999", "1,5"})
    CHECK(no_decimal(text, 0.5, 2) == "\"" + std::string(text) + "\" is no number from 0.5 to 2");
  CHECK_FALSE(no_decimal("-0", 0, 2).empty());
}

TEST_CASE("a value is shown on one line, and not for ever", "[option_values]") {
  CHECK(no_natural("1\n2", 0, 9) == "\"1\\x0a2\" is no integer from 0 to 9");
  CHECK(no_natural(std::string(1000, '7'), 0, 9).size() < 200);
}

TEST_CASE("a word is anything but nothing", "[option_values]") {
  CHECK(no_word("").find("empty") != std::string::npos);
  CHECK(no_word(" ").empty());
}

TEST_CASE("words are told as alternatives", "[option_values]") {
  CHECK(alternatives({"a"}) == "a");
  CHECK(alternatives({"a", "b"}) == "a or b");
  CHECK(alternatives({"a", "b", "c"}) == "a, b or c");
}

TEST_CASE("an option with nothing behind its = is refused, unless -- has ended the options", "[option_values]") {
  CHECK(refusal_of({"--out=", "a"}) == "--out=: is empty");
  CHECK(refusal_of({"a", "-o="}) == "-o=: is empty");
  CHECK(refusal_of({"--out=a", "--out", "", "a=", "--out==", "-", "--", "--out="}).empty());
}
