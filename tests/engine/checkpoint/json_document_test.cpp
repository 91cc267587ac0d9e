#include "engine/checkpoint/json_document.h"

#include <sys/stat.h>

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
  CHECK(refusal_of_text("NaN").find("a.json: not JSON at byte") == 0);
}

TEST_CASE("a number that no double holds is refused with its field", "[json]") {
  CHECK(refusal_of_text("[1e999]") == "a.json: a number out of range");
  CHECK(refusal_of_text(R"({"a": 1, "b": -1e999})") == "a.json: b: a number out of range");
  CHECK(refusal_of_text(R"({"a": {"b": [], "c": {}}, "d\n": {"e": [1, {"f": 2}, 1e999]}})") == "a.json: d\\x0a.e: a number out of range");
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

TEST_CASE("nothing may follow the document, a NUL byte and what it hides neither", "[json]") {
  using namespace std::string_literals;
  CHECK(refusal_of_text("{}\0"s) == "a.json: not JSON at byte 3");
  CHECK(refusal_of_text("{} \n\0{\"a\": 1}"s) == "a.json: not JSON at byte 5");
  CHECK(refusal_of_text("1\0 2"s) == "a.json: not JSON at byte 2");
  CHECK(refusal_of_text("\0{}"s) == "a.json: not JSON at byte 1");
  CHECK(refusal_of_text("[\"a\0\"]"s) == "a.json: not JSON at byte 4");
  CHECK(refusal_of_text("[\"\\u0000\"] \n") == "nothing was refused");
}

TEST_CASE("a missing file and what is no regular file are refused by name, without waiting", "[json]") {
  TemporaryFolder const folder;
  folder.write("file", "{}");
  std::filesystem::create_directory(folder.path() / "folder");
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  const auto refused = [&](const std::string& name, const std::string& why) {
    std::string const message = refusal_of([&] { read_document(folder.path() / name); });
    CHECK(message == (folder.path() / name).string() + ": " + why);
  };
  refused("absent.json", "no such file");
  refused("file/below", "no such file");
  refused("folder", "not a regular file");
  refused("pipe", "not a regular file");
  refused("/dev/zero", "not a regular file");
}

}  // namespace redproof::tests
