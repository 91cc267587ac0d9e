#include "engine/checkpoint/printable.h"

#include "tests/catch.h"

namespace redproof::tests {

using engine::printable;

TEST_CASE("control characters are escaped", "[printable]") {
  CHECK(printable("a\nb\x1b[31m\x7f") == "a\\x0ab\\x1b[31m\\x7f");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
  CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");  // CSI as one C1 character
}

TEST_CASE("text of many scripts stays", "[printable]") {
  for (const char* const text : {"", "plain", "\xc2\xa0\xc3\xa9", "\xe6\xbc\xa2\xe5\xad\x97", "\xf0\x9f\x98\x80"})
    CHECK(printable(text) == text);
}

TEST_CASE("bytes that are no UTF-8 are escaped", "[printable]") {
  CHECK(printable("\xff") == "\\xff");
  CHECK(printable("\xc3") == "\\xc3");
  CHECK(printable("\xc0\x8a") == "\\xc0\\x8a");  // an overlong line feed
  CHECK(printable("\xe0\x80\x8a") == "\\xe0\\x80\\x8a");
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
}

}  // namespace redproof::tests
