#include "mutants/driver/find/token.h"

#include "tests/catch.h"

using namespace redproof::mutants;
using Texts = std::vector<std::string_view>;

TEST_CASE("source is cut into tokens", "[find]") {
  CHECK(token_texts("a->b+=c<<=1") == Texts{"a", "->", "b", "+=", "c", "<<=", "1"});
  CHECK(token_texts("x /* y */ // z\n+ w") == Texts{"x", "+", "w"});
  CHECK(token_texts("1'000 0x1p-3f 1e+5 .5") == Texts{"1'000", "0x1p-3f", "1e+5", ".5"});
  CHECK(token_texts("\"a\\\"b\" 'c' u8\"d\" L'e'") == Texts{"\"a\\\"b\"", "'c'", "u8\"d\"", "L'e'"});
  for (const std::string prefix : {"R", "LR", "uR", "UR", "u8R"}) {
    std::string const raw = prefix + "\"x(a)\" b)x\"";
    CHECK(token_texts(raw + " c") == Texts{raw, "c"});
  }
  CHECK(token_texts("a \\\n b") == Texts{"a", "b"});
  CHECK(token_texts("größe::x") == Texts{"größe", "::", "x"});
}

TEST_CASE("what is not finished ends with the text", "[find]") {
  CHECK(token_texts("\"abc") == Texts{"\"abc"});
  CHECK(token_texts("R\"(abc") == Texts{"R\"(abc"});
  CHECK(token_texts("/* abc").empty());
  CHECK(token_texts("").empty());
}

TEST_CASE("lines count from one", "[find]") {
  CHECK(line_of("a\nb\nc", 0) == 1);
  CHECK(line_of("a\nb\nc", 4) == 3);
  CHECK(first_line("a\nb") == "a");
}
