#include "tests/architecture/planted.h"
#include "tests/architecture/rules.h"
#include "tests/catch.h"

using namespace redproof::tests;

namespace {

using Files = std::map<std::string, std::string>;

// Two gates, each with a mutant that it alone kills, and a law that names one of them.
Files sound_tree() {
  return {{"gates/a.gate.json", R"({"laws":["law_a"]})"},
          {"gates/b.gate.json", R"({"laws":["law_b"]})"},
          {"properties/law_a.cpp", R"(law.separates = {"x/one"}; tally.signal("x/one", 3.0);)"},
          {"properties/law_b.cpp", ""},
          {"mutants/x/one.mutant.json", R"({"reds":[{"gate":"a","law":"law_a"}],"keeps_green":["b"]})"},
          {"mutants/x/two.mutant.json", R"({"reds":[{"gate":"b","law":"law_b"}],"keeps_green":["a"]})"}};
}

std::string found(std::string const& file, std::string const& text) {
  auto files = sound_tree();
  files[file] = text;
  return describe(loose_names(PlantedTree(files).tree()));
}

}  // namespace

TEST_CASE("laws, gates and mutants name each other", "[architecture]") {
  INFO(describe(loose_names(own_tree())));
  CHECK(loose_names(own_tree()).empty());
}

TEST_CASE("a sound tree has no loose name", "[architecture]") { CHECK(describe(loose_names(PlantedTree(sound_tree()).tree())).empty()); }

TEST_CASE("each loose name is found", "[architecture]") {
  CHECK(found("properties/law_a.cpp", R"(law.separates = {"x/three"};)").find("x/three (there is no such mutant)") != std::string::npos);
  CHECK(found("properties/law_a.cpp", R"(tally.signal("x/two", 3.0);)").find("does not promise to turn law_a red") != std::string::npos);
  CHECK(found("mutants/x/three.mutant.json", R"({"reds":[{"gate":"c","law":"law_c"}]})").find("c (there is no such gate)") !=
        std::string::npos);
  CHECK(found("mutants/x/three.mutant.json", R"({"reds":[{"gate":"a","law":"law_b"}]})").find("law_b (no law of a)") != std::string::npos);
  CHECK(found("mutants/x/three.mutant.json", R"({"keeps_green":["c"]})").find("there is no such gate") != std::string::npos);
  CHECK(found("gates/a.gate.json", R"({"laws":["law_c"]})").find("law_c (no such file in properties/)") != std::string::npos);
}

TEST_CASE("a gate without a mutant of its own is found, unless it says why it is kept", "[architecture]") {
  auto const shared = R"({"reds":[{"gate":"a","law":"law_a"},{"gate":"b","law":"law_b"}]})";
  CHECK(found("mutants/x/one.mutant.json", shared).find("gates/a.gate.json:0: a (no mutant names it alone") == 0);
  CHECK(found("mutants/x/one.mutant.json", R"({"reds":[{"gate":"a","law":"law_a"}]})").find("gates/a.gate.json:0: a (no mutant") == 0);
  auto files = sound_tree();
  files["mutants/x/one.mutant.json"] = shared;
  files["gates/a.gate.json"] = R"({"laws":["law_a"],"kept_because":"cheaper"})";
  CHECK(describe(loose_names(PlantedTree(files).tree())).find("gates/a.gate.json") == std::string::npos);
}
