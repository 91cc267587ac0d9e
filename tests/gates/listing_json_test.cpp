#include <nlohmann/json.hpp>

#include "gates/runner/listing.h"
#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

TEST_CASE("a gate that is listed and written back is the same gate", "[listing_json]") {
  constexpr auto file = R"({"id":"kv_store","claim":"c","theorem":"t","subjects":["cpu"],"run":{"program":"gates_cpu","tag":"kv_store"},
"laws":["law_a"],"surface":["src/a.cpp::store"],"needs":["file:x"],"timeout_s":7,"network":true,"stage":"nightly",
"blind_spots":[{"what":"reads","covered_by":"kv_read"},{"what":"rest","covered_by":null}],"kept_because":"it is first"})";
  Folder const folder;
  write(folder / "kv_store.gate.json", file);
  auto const listed = nlohmann::json::parse(json_listing({load_gate(folder / "kv_store.gate.json")}));
  CHECK(listed["schema"] == "redproof.gate_list.1");
  CHECK(listed["gates"][0] == nlohmann::json::parse(file));
}

TEST_CASE("a foreign gate is listed with its command", "[listing_json]") {
  auto const listed = nlohmann::json::parse(json_listing({shell_gate("g", "exit 0")}));
  CHECK(listed["gates"][0]["run"] == nlohmann::json({{"argv", {"/bin/sh", "-c", "exit 0"}}}));
  CHECK(listed["gates"][0]["kept_because"].is_null());
  CHECK(listed["gates"][0]["network"] == false);
  CHECK(listed["gates"][0]["stage"] == "premerge");
}
