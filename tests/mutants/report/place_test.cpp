#include "mutants/driver/report/place.h"

#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

std::string place(const std::string& before, const std::string& after) {
  Place const found = place_of({"f", before, after, "", ""});
  return std::to_string(found.first_line) + ":" + std::to_string(found.first_column) + "-" + std::to_string(found.last_line) + ":" +
         std::to_string(found.last_column) + " " + found.replacement;
}

}  // namespace

TEST_CASE("a place runs from the first character that differs to behind the last", "[report]") {
  CHECK(place("a\nb + c;\n", "a\nb - c;\n") == "2:3-2:4 -");
  CHECK(place("f(a);\n", "f();\n") == "1:3-1:4 ");
  CHECK(place("x\n", "x y\n") == "1:2-1:2  y");
  CHECK(place("aa\n", "aaa\n") == "1:3-1:3 a");
  CHECK(place("1\ntwo\nthree\n4\n", "1\nTWO\nTHREE\n4\n") == "2:1-3:6 TWO\nTHREE");
}

TEST_CASE("columns count as JavaScript does, and no character is cut", "[report]") {
  CHECK(place("\xc3\xa9 + 1\n", "\xc3\xa9 - 1\n") == "1:3-1:4 -");
  CHECK(place("\xf0\x9f\x98\x80 + 1\n", "\xf0\x9f\x98\x80 - 1\n") == "1:4-1:5 -");
  CHECK(place("\xc3\xa9\n", "\xc3\xa8\n") == "1:1-1:2 \xc3\xa8");
  CHECK(place("\xc3\xa9\n", "\xc4\xa9\n") == "1:1-1:2 \xc4\xa9");
  CHECK(place("x\xf0\x9f\x98\x80y\n", "x\xf0\x9f\x99\x80y\n") == "1:2-1:4 \xf0\x9f\x99\x80");
}
