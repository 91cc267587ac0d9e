#include "tests/architecture/planted.h"
#include "tests/architecture/rules.h"
#include "tests/catch.h"

using namespace redproof::tests;

namespace {

// A tree whose documents are all there, with one more file.
std::string shape_findings(std::string const& file, std::string const& text) {
  std::map<std::string, std::string> files{{"AGENTS.md", "\n"}, {"README.md", "\n"}};
  for (std::string const room : {"engine", "oracle", "properties", "gates", "mutants", "tests"}) files[room + "/README.md"] = "\n";
  files[file] = text;
  return describe(oversized(PlantedTree(files).tree()));
}

std::string lines(int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += "// line\n";
  return out;
}

}  // namespace

TEST_CASE("files, headers and documents keep to their size", "[architecture]") {
  INFO(describe(oversized(own_tree())));
  CHECK(oversized(own_tree()).empty());
}

TEST_CASE("what is too long is found, and what just fits is not", "[architecture]") {
  CHECK(shape_findings("engine/kv/store.cpp", lines(400)) == "engine/kv/store.cpp:0: 400 lines (fewer than 400 are allowed)\n");
  CHECK(shape_findings("engine/kv/store.cpp", lines(399)).empty());
  CHECK(shape_findings("engine/kv/store.cpp", lines(399) + "// no end of line").find("400 lines") != std::string::npos);
  CHECK(shape_findings("engine/kv/store.h", lines(100)).find("100 lines") != std::string::npos);
  CHECK(shape_findings("engine/kv/store.h", lines(99)).empty());
  CHECK(shape_findings("AGENTS.md", lines(80)).find("AGENTS.md:0: 80 lines") != std::string::npos);
  CHECK(shape_findings("AGENTS.md", lines(79)).empty());
  CHECK(shape_findings("README.md", lines(150)).find("README.md:0: 150 lines") != std::string::npos);
  CHECK(shape_findings("README.md", lines(149)).empty());
}

TEST_CASE("a missing document is found", "[architecture]") {
  std::map<std::string, std::string> const files{{"README.md", "\n"}, {"engine/README.md", "\n"}};
  std::string const findings = describe(oversized(PlantedTree(files).tree()));
  CHECK(findings.find("AGENTS.md:0: document (it is missing)") == 0);
  CHECK(findings.find("oracle/README.md:0: document") != std::string::npos);
  CHECK(findings.find("engine/README.md") == std::string::npos);
}

TEST_CASE("a header's body of several statements is found", "[architecture]") {
  std::string const text = "struct S {\n  int f() const {\n    g();\n    return 1;\n  }\n};\n";
  CHECK(shape_findings("engine/kv/spec.h", text) == "engine/kv/spec.h:2: int f() const (a header's body is one statement at most)\n");
  CHECK(shape_findings("engine/kv/spec.cpp", text).empty());
  CHECK(shape_findings("tests/engine/truth.h", text).empty());
  CHECK(shape_findings("engine/kv/spec.h", "struct S {\n  int f() const {\n    return 1 +\n        2;\n  }\n};\n").empty());
}
