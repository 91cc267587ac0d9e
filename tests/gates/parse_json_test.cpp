#include "gates/runner/parse_json.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

std::string refusal_of_text(const std::string& text, JsonLimits limits = {}) {
  return message_of([&] { parse_json(text, "f.json", limits); });
}

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

}  // namespace

TEST_CASE("every kind of value is kept, members in the order of the text", "[parse_json]") {
  auto const node = parse_json(R"({"b":[null,true,-3,18446744073709551615,0.5,"x"],"a":{}})", "f.json", {});
  auto const& object = std::get<JsonNode::Object>(node.value);
  REQUIRE(object.size() == 2);
  CHECK(object[0].first == "b");
  CHECK(object[1].first == "a");
  auto const& list = std::get<JsonNode::List>(object[0].second.value);
  REQUIRE(list.size() == 6);
  CHECK(std::holds_alternative<std::nullptr_t>(list[0].value));
  CHECK(std::get<bool>(list[1].value));
  CHECK(std::get<std::int64_t>(list[2].value) == -3);
  CHECK(std::get<std::uint64_t>(list[3].value) == UINT64_MAX);
  CHECK(std::get<double>(list[4].value) == 0.5);
  CHECK(std::get<std::string>(list[5].value) == "x");
}

TEST_CASE("depth is refused one level past the limit, however deep the text is", "[parse_json]") {
  CHECK(refusal_of_text(nested(64)).empty());
  CHECK(refusal_of_text(nested(65)) == "f.json: deeper than 64 levels");
  CHECK(refusal_of_text(std::string(1 << 20, '[')) == "f.json: deeper than 64 levels");
  CHECK(refusal_of_text(R"({"a":{"a":1}})", {100, 1}) == "f.json: deeper than 1 levels");
}

TEST_CASE("a key that is there twice is refused, wherever it stands and however it is written", "[parse_json]") {
  CHECK(refusal_of_text(R"({"a":1,"b":2,"a":1})") == "f.json: the key \"a\" is there twice");
  CHECK(refusal_of_text(R"([{"x":{"a":1,"\u0061":2}}])") == "f.json: the key \"a\" is there twice");
  CHECK(refusal_of_text(R"({"a":{"a":1},"b":{"a":1}})").empty());
}

TEST_CASE("an object of very many keys is read in time", "[parse_json]") {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  CHECK(refusal_of_text(text + "}").empty());
  CHECK(refusal_of_text(text + ",\"77\":0}") == "f.json: the key \"77\" is there twice");
}

TEST_CASE("a small text cannot become a huge tree", "[parse_json]") {
  CHECK(refusal_of_text("[1,2,3]", {100, 64, 4}).empty());
  CHECK(refusal_of_text("[1,2,3,4]", {100, 64, 4}) == "f.json: holds more than 4 values");
}

TEST_CASE("text that is no JSON is refused with its place", "[parse_json]") {
  CHECK(refusal_of_text("") == "f.json: no valid JSON at byte 1");
  CHECK(refusal_of_text("{\"a\":1,}") == "f.json: no valid JSON at byte 8");
  CHECK(refusal_of_text("{} {}") == "f.json: no valid JSON at byte 4");
  CHECK_FALSE(refusal_of_text("[NaN]").empty());
  CHECK_FALSE(refusal_of_text("[Infinity]").empty());
  CHECK_FALSE(refusal_of_text("[01]").empty());
  CHECK_FALSE(refusal_of_text("// comment\n1").empty());
  CHECK_FALSE(refusal_of_text("\"\xff\"").empty());
  CHECK_FALSE(refusal_of_text("\"\\ud800\"").empty());
  CHECK_FALSE(refusal_of_text("\"a\nb\"").empty());
}

TEST_CASE("a number that no double holds is refused", "[parse_json]") {
  CHECK(refusal_of_text("[1e999]").find("a number out of range") != std::string::npos);
  CHECK(refusal_of_text("[-1e999]").find("a number out of range") != std::string::npos);
}

TEST_CASE("a byte after the document is refused, a null character and what it hides too", "[parse_json]") {
  CHECK(refusal_of_text("{}\n ").empty());
  for (std::string const rest : {"x", "{}", ",", "\x01"}) CHECK_FALSE(refusal_of_text("{}" + rest).empty());
  CHECK(refusal_of_text(std::string("{}\0", 3)) == "f.json: no valid JSON at byte 3");
  CHECK(refusal_of_text(std::string("{}\0garbage", 10)) == "f.json: no valid JSON at byte 3");
  CHECK(refusal_of_text(std::string("{}\n\0{}", 6)) == "f.json: no valid JSON at byte 4");
  CHECK(refusal_of_text(std::string("[\"a\0\"]", 6)) == "f.json: no valid JSON at byte 4");
}
