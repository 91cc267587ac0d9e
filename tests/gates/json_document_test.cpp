#include "gates/runner/json_document.h"

#include <cmath>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

JsonDocument parsed(const std::string& text) { return JsonDocument::parse(text, "f.json"); }

// What is said of the member `a` of {"a":VALUE} when it is read in a way that its kind does not allow.
std::string refusal_of_value(const std::string& value, const std::function<void(const JsonValue&)>& reads) {
  auto const document = parsed("{\"a\":" + value + "}");
  return message_of([&] { reads(document.root().at("a")); });
}

}  // namespace

TEST_CASE("values are read by their kind, and refused by file and field as another", "[json_document]") {
  CHECK(refusal_of_value("1", [](auto& v) { v.text(); }) == "f.json: a: must be a string");
  CHECK(refusal_of_value("\"\"", [](auto& v) { v.nonempty_text(); }) == "f.json: a: must not be empty");
  CHECK(refusal_of_value("1", [](auto& v) { v.boolean(); }) == "f.json: a: must be true or false");
  CHECK(refusal_of_value("\"1\"", [](auto& v) { v.number(); }) == "f.json: a: must be a number");
  CHECK(refusal_of_value("{}", [](auto& v) { v.items(); }) == "f.json: a: must be a list");
  CHECK(refusal_of_value("[]", [](auto& v) { v.members(); }) == "f.json: a: must be an object");
  CHECK(refusal_of_value("[]", [](auto& v) { v.find("x"); }) == "f.json: a: must be an object");
  CHECK(refusal_of_value("[\"x\",2]", [](auto& v) { v.texts(); }) == "f.json: a[1]: must be a string");
  CHECK(refusal_of_value("{\"b\":[{}]}", [](auto& v) { v.at("b").items()[0].at("c"); }) == "f.json: a.b[0]: \"c\" is missing");
  CHECK(refusal_of_value("null", [](auto& v) { v.text(); }) == "f.json: a: must be a string");
}

TEST_CASE("integers are checked against their range and are never rounded", "[json_document]") {
  CHECK(parsed("18446744073709551615").root().natural() == UINT64_MAX);
  CHECK(refusal_of_value("8", [](auto& v) { v.natural(7); }) == "f.json: a: must be at most 7");
  for (auto const* value : {"-1", "1.0", "1e3", "18446744073709551616", "\"1\"", "true", "null"})
    CHECK(refusal_of_value(value, [](auto& v) { v.natural(); }) == "f.json: a: must be an integer that is not negative");
  CHECK(parsed("-5").root().integer(-5, 5) == -5);
  CHECK(refusal_of_value("-6", [](auto& v) { v.integer(-5, 5); }) == "f.json: a: must be between -5 and 5");
  CHECK(refusal_of_value("6", [](auto& v) { v.integer(-5, 5); }) == "f.json: a: must be between -5 and 5");
  CHECK_FALSE(refusal_of_value("18446744073709551615", [](auto& v) { v.integer(-5, 5); }).empty());
  CHECK(refusal_of_value("1.5", [](auto& v) { v.integer(-5, 5); }) == "f.json: a: must be an integer");
}

TEST_CASE("numbers without a size are three words and no others", "[json_document]") {
  CHECK(std::isnan(parsed("\"nan\"").root().extended_number()));
  CHECK(parsed("\"inf\"").root().extended_number() == HUGE_VAL);
  CHECK(parsed("\"-inf\"").root().extended_number() == -HUGE_VAL);
  CHECK(parsed("-2").root().extended_number() == -2.0);
  for (auto const* value : {"\"NaN\"", "\"infinity\"", "\"1\"", "\"\""})
    CHECK(refusal_of_value(value, [](auto& v) { v.extended_number(); }) == "f.json: a: must be a number, \"nan\", \"inf\" or \"-inf\"");
  CHECK(refusal_of_value("\"nan\"", [](auto& v) { v.number(); }) == "f.json: a: must be a number");
}

TEST_CASE("a member is absent, or null, or there", "[json_document]") {
  auto const document = parsed(R"({"a":null,"b":2})");
  CHECK_FALSE(document.root().find("c").has_value());
  REQUIRE(document.root().find("a").has_value());
  CHECK(document.root().find("a")->is_null());
  CHECK(document.root().at("b").number() == 2.0);
  CHECK(document.root().members().size() == 2);
}

TEST_CASE("an unknown key is refused by name, made printable", "[json_document]") {
  auto const document = parsed("{\"a\":1,\"\\u001b[31m\":2}");
  CHECK(message_of([&] { document.root().allow_only({"a"}); }) == "f.json: (root): unknown key \"\\x1b[31m\"");
  CHECK(message_of([&] { document.root().allow_only({"a", "\x1b[31m"}); }).empty());
}

TEST_CASE("a file is read up to the limit of bytes", "[json_document]") {
  Folder const folder;
  write(folder / "a.json", "[1]       ");
  CHECK(JsonDocument::read(folder / "a.json", {10, 64}).root().items().size() == 1);
  CHECK(message_of([&] { JsonDocument::read(folder / "a.json", {9, 64}); }) == (folder / "a.json").string() + ": larger than 9 bytes");
  CHECK(message_of([] { JsonDocument::parse("[1]", "f.json", {2, 64}); }) == "f.json: larger than 2 bytes");
}

TEST_CASE("a view outlives the handle that gave it, as long as one copy of the document lives", "[json_document]") {
  auto const copy = [] { return parsed("{\"a\":\"text\"}"); }();
  JsonValue const view = JsonDocument(copy).root().at("a");
  CHECK(view.text() == "text");
  CHECK(view.field() == "a");
  CHECK(view.file() == "f.json");
}
