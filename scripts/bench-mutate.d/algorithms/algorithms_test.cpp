// The gate of the benchmark: ends with 2 at the first check that does not hold.
#include "algorithms.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace algorithms;

namespace {

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("%s\n", what);
  std::exit(2);
}
#define CHECK(condition) check(condition, #condition)

std::uint32_t state = 1;
std::uint32_t draw() { return state = state * 1664525u + 1013904223u; }

std::string word(std::size_t length, unsigned letters) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += static_cast<char>('a' + draw() % (1 << 24) / 256 % letters);
  return text;
}

void numbers() {
  CHECK(crc32("") == 0);
  CHECK(crc32("123456789") == 0xCBF43926u);
  CHECK(power_modulo(3, 200, 1000007) == 3 * power_modulo(3, 199, 1000007) % 1000007);
  CHECK(power_modulo(2, 10, 1000) == 24);
  CHECK(power_modulo(2, 10, 0) == 0);
  CHECK(power_modulo(5, 0, 1) == 0);
  CHECK(greatest_common_divisor(84, 36) == 12);
  CHECK(greatest_common_divisor(0, 7) == 7);
  int primes = 0;
  for (std::uint64_t n = 0; n < 2000; ++n) primes += is_prime(n) ? 1 : 0;
  CHECK(primes == 303);
  for (std::uint64_t n = 0; n < 3000; ++n) {
    std::uint64_t const root = square_root(n);
    CHECK(root * root <= n && (root + 1) * (root + 1) > n);
  }
  CHECK(square_root(~std::uint64_t{0}) == 0xFFFFFFFFu);
}

void texts() {
  CHECK(base64("light work.") == "bGlnaHQgd29yay4=");
  CHECK(base64("light wo") == "bGlnaHQgd28=");
  CHECK(base64("light w") == "bGlnaHQgdw==");
  std::string bytes;
  for (std::size_t length = 0; length < 60; ++length) {
    std::string noise;
    for (std::size_t i = 0; i < length; ++i) noise += static_cast<char>(draw() >> 24);
    CHECK(unbase64(base64(noise), bytes) && bytes == noise);
  }
  CHECK(!unbase64("abc", bytes));
  CHECK(!unbase64("ab-c", bytes));
  CHECK(!unbase64("a===", bytes));
  CHECK(run_lengths("") == "");
  CHECK(run_lengths("aaabccd") == "3ab2cd");
  CHECK(roman(1994) == "MCMXCIV");
  CHECK(roman(3999) == "MMMCMXCIX");
  CHECK(roman(0).empty() && roman(4000).empty());
  std::vector<std::uint32_t> codes;
  CHECK(decode_utf8("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", codes) && codes == std::vector<std::uint32_t>({0x61, 0xE9, 0x20AC, 0x1F600}));
  for (const char* const wrong : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
                                  "\xF5\x80\x80\x80", "\xE2\x82z"})
    CHECK(!decode_utf8(wrong, codes));
}

void sequences() {
  for (std::size_t length = 0; length < 60; ++length) {
    std::vector<int> values, truth;
    for (std::size_t i = 0; i < length; ++i) values.push_back(static_cast<int>(draw() >> 16) % 40 - 20);
    truth = values;
    std::sort(truth.begin(), truth.end());
    heap_sort(values);
    CHECK(values == truth);
    for (int value = -21; value <= 21; ++value)
      CHECK(first_not_below(values, value) ==
            static_cast<std::size_t>(std::lower_bound(truth.begin(), truth.end(), value) - truth.begin()));
  }
  CHECK(united({{5, 7}, {1, 3}, {3, 4}, {6, 9}, {8, 8}}) == std::vector<Interval>({{1, 4}, {5, 9}}));
  CHECK(united({{1, 9}, {2, 3}}) == std::vector<Interval>({{1, 9}}));
  std::vector<double> product;
  CHECK(multiply({1, 2, 3, 4}, {5, 6, 7, 8}, 2, product) && product == std::vector<double>({19, 22, 43, 50}));
  CHECK(!multiply({1}, {1, 2, 3, 4}, 2, product));
}

void pairs_of_words() {
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(longest_common_run("redproof", "waterproof") == 5);
  for (int i = 0; i < 120; ++i) {
    std::string const a = word(60, 3), b = word(50, 3), c = word(40, 3);
    CHECK(edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c));
    CHECK(edit_distance(a, b) == edit_distance(b, a));
    int const run = longest_common_run(a, b);
    CHECK(run == longest_common_run(b, a));
    CHECK(run == 0 || edit_distance(a, b) <= 60 - run);
  }
  CHECK(matches("*a?c*", "xxabcyy") && matches("", "") && matches("**", "") && !matches("a", "") && !matches("", "a"));
  CHECK(matches("a*b*c", "aXXbbYYc") && !matches("a*b*c", "aXXbbYYd") && !matches("a?", "a"));
}

void dates() {
  CHECK(days_in_month(2000, 2) == 29 && days_in_month(1900, 2) == 28 && days_in_month(2024, 2) == 29 && days_in_month(2023, 2) == 28);
  CHECK(days_in_month(2023, 0) == 0 && days_in_month(2023, 13) == 0);
  int weekday = day_of_week(1999, 1, 1);
  CHECK(weekday == 5);
  for (int year = 1999; year < 2030; ++year)
    for (int month = 1; month <= 12; ++month)
      for (int day = 1; day <= days_in_month(year, month); ++day) {
        CHECK(day_of_week(year, month, day) == weekday);
        weekday = (weekday + 1) % 7;
      }
}

}  // namespace

int main() {
  numbers();
  texts();
  sequences();
  pairs_of_words();
  dates();
  return 0;
}
