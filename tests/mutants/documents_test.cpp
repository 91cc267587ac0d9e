// The examples of the documents are mutants of the catalogue, as they stand there.
#include <algorithm>
#include <string>
#include <vector>

#include "gates/runner/json_document.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using redproof::gates::JsonDocument;
using redproof::gates::JsonValue;
using redproof::mutants::test::read;

namespace {

std::filesystem::path const root = REDPROOF_ROOT;

// One text for all ways to lay out and to order a document.
std::string plain(const JsonValue& value) {
  std::vector<std::string> parts;
  if (value.is_object())
    for (auto const& [key, member] : value.members()) parts.push_back(key + "=" + plain(member));
  std::sort(parts.begin(), parts.end());
  if (value.is_list())
    for (const JsonValue& item : value.items()) parts.push_back(plain(item));
  std::string text = value.is_object() ? "{" : "[";
  for (const std::string& part : parts) text += part + ";";
  if (value.is_object() || value.is_list()) return text;
  if (value.is_text()) return "'" + value.text() + "'";
  if (value.is_bool()) return value.boolean() ? "true" : "false";
  return value.is_null() ? "null" : std::to_string(value.number());
}

std::vector<std::string> json_blocks(const std::string& document) {
  std::vector<std::string> blocks;
  std::string const open = "```json\n";
  for (auto at = document.find(open); at != std::string::npos; at = document.find(open, at)) {
    at += open.size();
    blocks.push_back(document.substr(at, document.find("```", at) - at));
  }
  return blocks;
}

}  // namespace

TEST_CASE("every example in the documents that has an id is that mutant's file", "[documents]") {
  for (const char* name : {"README.md", "docs/mutants.md"}) {
    std::size_t examples = 0;
    for (const std::string& block : json_blocks(read(root / name))) {
      auto const example = JsonDocument::parse(block, name);
      if (!example.root().is_object() || !example.root().find("id")) continue;
      ++examples;
      std::string const id = example.root().at("id").text();
      INFO(name << ": " << id);
      auto const mutant = JsonDocument::read(root / "mutants" / (id + ".mutant.json"));
      CHECK(plain(example.root()) == plain(mutant.root()));
    }
    INFO(name);
    CHECK(examples > 0);
  }
}

TEST_CASE("layout and order make no difference between examples, and everything else does", "[documents]") {
  auto const of = [](const std::string& text) { return plain(JsonDocument::parse(text, "x").root()); };
  CHECK(of(R"({"a":[1,true,null],"b":"c"})") == of("{ \"b\": \"c\",\n \"a\": [1, true, null]}"));
  CHECK(of(R"({"a":[1,2]})") != of(R"({"a":[2,1]})"));
  CHECK(of(R"({"a":"1"})") != of(R"({"a":1})"));
  CHECK(of(R"({"a":1})") != of(R"({"a":1,"b":1})"));
}
