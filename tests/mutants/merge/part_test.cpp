#include "mutants/driver/merge/part.h"

#include "gates/runner/json_document.h"
#include "tests/catch.h"

using namespace redproof::mutants;

TEST_CASE("a shard's record says what it is a part of", "[merge]") {
  auto const document = redproof::gates::JsonDocument::parse(to_json(ShardRecord{"abc", {"g/a", "g/b"}, {2, 3}}), "selection.json");
  CHECK(document.root().at("selected").texts() == std::vector<std::string>{"g/a", "g/b"});
  CHECK(document.root().at("shard").at("index").natural() == 2);
}
