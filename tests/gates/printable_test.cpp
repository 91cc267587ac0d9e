#include "gates/runner/printable.h"

#include "tests/catch.h"

using redproof::gates::printable;
using redproof::gates::printable_block;

TEST_CASE("text of any script is kept", "[printable]") {
  std::string const text = "plain, \u00e9\u4e2d\U0001F600 \"quoted\" \\ back";
  CHECK(printable(text) == text);
}

TEST_CASE("what moves the cursor or colours a terminal is escaped", "[printable]") {
  CHECK(printable("a\x1b[31mred\x07") == "a\\x1b[31mred\\x07");
  CHECK(printable("one\ntwo\r\tthree") == "one\\x0atwo\\x0d\\x09three");
  CHECK(printable("\x7f") == "\\x7f");
  CHECK(printable("\u009b31m") == "\\u{9b}31m");
  CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
}

TEST_CASE("what reorders a line is escaped", "[printable]") {
  CHECK(printable("\u202egnp.exe") == "\\u{202e}gnp.exe");
  CHECK(printable("\u2066x\u200f\u2028") == "\\u{2066}x\\u{200f}\\u{2028}");
}

TEST_CASE("code points that are no characters are escaped", "[printable]") {
  CHECK(printable("\xef\xbf\xbe\xef\xbf\xbf\xf0\x9f\xbf\xbf") == "\\u{fffe}\\u{ffff}\\u{1ffff}");
  CHECK(printable("\xef\xbf\xbd") == "\xef\xbf\xbd");
}

TEST_CASE("bytes that are no UTF-8 are escaped one by one", "[printable]") {
  CHECK(printable("\xff\xfe") == "\\xff\\xfe");
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // overlong
  CHECK(printable("\xe0\x80\xaf") == "\\xe0\\x80\\xaf");           // overlong
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
  CHECK(printable("\xe4\xb8") == "\\xe4\\xb8");                    // cut off
}

TEST_CASE("a long text is cut between characters", "[printable]") {
  CHECK(printable("abcdef", 6) == "abcdef");
  CHECK(printable("abcdefg", 6) == "abcdef...");
  CHECK(printable("ab\u4e2d", 4) == "ab...");
}

TEST_CASE("a block keeps its lines and tabs and nothing else", "[printable]") {
  CHECK(printable_block("a\n\tb\x1b\r\n") == "a\n\tb\\x1b\\x0d\n");
}
