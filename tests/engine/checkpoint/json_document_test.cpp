#include "engine/checkpoint/json_document.h"

#include <string>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"
#include "tests/engine/checkpoint/parse_document.h"

namespace redproof::tests {
namespace {

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

std::string refusal_of_text(const std::string& text) {
  return refusal_of([&] { parse_document(text, "a.json"); });
}

}  // namespace

TEST_CASE("text that is no JSON is refused with its place", "[json]") {
  CHECK(refusal_of_text("{\"a\": }") == "a.json: not JSON at byte 7");
  CHECK(refusal_of_text("") == "a.json: not JSON at byte 1");
  CHECK(refusal_of_text("{} x") == "a.json: not JSON at byte 4");
  CHECK(refusal_of_text("\"\xff\"") == "a.json: not JSON at byte 2");
  CHECK(refusal_of_text("[1e999]") == "a.json: not JSON: a number out of range");
  CHECK(refusal_of_text("NaN").find("a.json: not JSON at byte") == 0);
}

TEST_CASE("a key twice in one object is refused, the same key in two objects is not", "[json]") {
  CHECK(refusal_of_text(R"({"a": 1, "b": {"a": 2, "a": 3}})") == "a.json: key \"a\" twice in one object");
  CHECK(refusal_of_text(R"({"a\n": 1, "a\n": 2})") == "a.json: key \"a\\x0a\" twice in one object");
  CHECK(refusal_of_text(R"([{"a": 1}, {"a": {"a": 2}}])") == "nothing was refused");
}

TEST_CASE("64 levels are read and 65 refused", "[json]") {
  CHECK(refusal_of_text(nested(64)) == "nothing was refused");
  CHECK(refusal_of_text(nested(65)) == "a.json: nested deeper than 64 levels");
  CHECK(refusal_of_text(nested(1000000)) == "a.json: nested deeper than 64 levels");
}

TEST_CASE("more than 64 MiB are refused before they are read", "[json]") {
  TemporaryFolder const folder;
  folder.write("config.json", "{}");
  std::filesystem::resize_file(folder.path() / "config.json", engine::json_limit_bytes + 1);
  std::string const message = refusal_of([&] { read_document(folder.path() / "config.json"); });
  CHECK(message.find("more than 67108864 bytes of JSON") != std::string::npos);
}

TEST_CASE("a missing file and a folder in its place are refused by name", "[json]") {
  TemporaryFolder const folder;
  for (const char* const name : {"absent.json", ""}) {
    std::string const message = refusal_of([&] { read_document(folder.path() / name); });
    CHECK(message == (folder.path() / name).string() + ": no such file");
  }
}

}  // namespace redproof::tests
