#include "mutants/driver/plan/plan.h"

#include "gates/runner/json_document.h"
#include "tests/catch.h"

using namespace redproof::mutants;

namespace {

Plan plan() {
  Plan made;
  made.root = "/root";
  made.tree_sha256 = "tree";
  PlannedMutant planned;
  planned.mutant.id = "g/m";
  planned.mutant.defect = "a \"defect\"";
  planned.mutant.targets = {"b", "a"};
  planned.mutant.reds = {{"gate", "law"}};
  planned.mutant.file_sha256 = "file";
  planned.finding.files = {{"a.cpp", "x", "y", "hx", "hy"}};
  made.mutants = {planned, planned};
  return made;
}

}  // namespace

TEST_CASE("a key changes with everything that decides an outcome", "[plan]") {
  Plan const base = plan();
  std::string const key = key_of(base, base.mutants[0]);
  CHECK(key == key_of(base, base.mutants[1]));
  Plan tree = base, seed = base, factor = base, platform = base, matrix = base;
  matrix.matrix = true;
  platform.platform = "other";
  tree.tree_sha256 = "other";
  seed.seed = 2;
  factor.timeout_factor = 2;
  for (const Plan& changed : {tree, seed, factor, platform, matrix}) CHECK(key_of(changed, changed.mutants[0]) != key);
  PlannedMutant file = base.mutants[0], edit = base.mutants[0];
  file.mutant.file_sha256 = "other";
  edit.finding.files[0].after_sha256 = "other";
  CHECK(key_of(base, file) != key);
  CHECK(key_of(base, edit) != key);
}

TEST_CASE("a plan is a document with every mutant, its files and its gates", "[plan]") {
  auto const document = redproof::gates::JsonDocument::parse(to_json(plan()), "plan.json");
  auto const root = document.root();
  CHECK(root.at("schema").text() == "redproof.plan.1");
  REQUIRE(root.at("mutants").items().size() == 2);
  auto const first = root.at("mutants").items()[0];
  CHECK(first.at("defect").text() == "a \"defect\"");
  CHECK(first.at("files").items()[0].at("before").text() == "hx");
  CHECK(first.at("reds").items()[0].at("law").text() == "law");
  CHECK(plan().targets() == std::vector<std::string>{"a", "b"});
}

TEST_CASE("gates are picked by name in the order of the catalogue", "[plan]") {
  std::vector<redproof::gates::Gate> gates(3);
  gates[0].id = "a";
  gates[1].id = "b";
  gates[2].id = "c";
  auto const named = gates_named(gates, {"c", "a", "none"});
  REQUIRE(named.size() == 2);
  CHECK(named[0].id == "a");
  CHECK(named[1].id == "c");
}
