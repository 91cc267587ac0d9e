#include "tests/architecture/planted.h"
#include "tests/architecture/rules.h"
#include "tests/catch.h"

using namespace redproof::tests;

namespace {

std::string type_findings(std::string const& file, std::string const& text) {
  std::map<std::string, std::string> const files{{file, text}};
  return describe(bodies_in_types(PlantedTree(files).tree()));
}

}  // namespace

TEST_CASE("engine/types has no function bodies", "[architecture]") {
  REQUIRE(own_tree().has("engine/types/kv.h"));
  INFO(describe(bodies_in_types(own_tree())));
  CHECK(bodies_in_types(own_tree()).empty());
}

TEST_CASE("a body in engine/types is named with its line", "[architecture]") {
  CHECK(type_findings("engine/types/kv.h", "struct S {\n  int bytes() const { return 1; }\n};\n") ==
        "engine/types/kv.h:2: int bytes() const (engine/types holds no function bodies)\n");
  CHECK(type_findings("engine/types/kv.h", "inline constexpr auto f = [](int x) { return x; };\n").find("no function bodies") !=
        std::string::npos);
  CHECK(type_findings("engine/types/kv.h", "struct S { S() : a{1} {} int a; };\n").find("no function bodies") != std::string::npos);
  CHECK(type_findings("engine/types/kv.cpp", "int x;\n").find("headers only") != std::string::npos);
  CHECK(type_findings("engine/types/kv.h", "#define BYTES(x) int x() { return 1; }\n").find("no macros") != std::string::npos);
}

TEST_CASE("plain structs and other folders are left alone", "[architecture]") {
  CHECK(type_findings("engine/types/kv.h", "enum class E { a };\nstruct S { int a = 0; std::vector<int> b{}; };  // f() { }\n").empty());
  CHECK(type_findings("engine/kv/spec.h", "inline int f() { return 1; }\n").empty());
}
