#include "mutants/driver/generate/identity.h"

#include <set>

#include "tests/catch.h"
#include "tests/mutants/generate/sample.h"

using namespace redproof::mutants;
using redproof::mutants::test::generation_of;

namespace {

std::vector<std::string> ids(const std::string& source) {
  std::vector<std::string> found;
  for (const Generated& one : generation_of(source).mutants) found.push_back(one.mutant.id);
  return found;
}

const std::string body = "  int b = a + 1;\n  if (b < 3) return b;\n  return a + 1;\n}\n";

}  // namespace

TEST_CASE("ids stay when lines move, spaces change and comments come", "[generate]") {
  auto const before = ids("int f(int a) {\n" + body);
  REQUIRE(before.size() > 10);
  CHECK(ids("// Something new.\nint g();\n\nint f(int a) {\n" + body) == before);
  CHECK(ids("int f(int a) {  // why\n  int b = a  +  /* one */ 1;\n\n  if (b<3)\n    return b;\n  return a + 1;\n}\n") == before);
}

TEST_CASE("ids are unique, also of equal places", "[generate]") {
  auto const all = ids("int f(int a) {\n" + body + "int f(long a) {\n" + body);
  CHECK(std::set<std::string>(all.begin(), all.end()).size() == all.size());
}

TEST_CASE("ids tell functions apart, also those of one name", "[generate]") {
  auto const one = ids("int f(int) { return 2; }\n");
  REQUIRE_FALSE(one.empty());
  for (const char* function : {"int g(int) { return 2; }\n", "int f(long) { return 2; }\n", "int f(int, int) { return 2; }\n"}) {
    CAPTURE(function);
    auto const other = ids(function);
    REQUIRE(one.size() == other.size());
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i] != other[i]);
  }
}

TEST_CASE("an id is the operator and twelve hexadecimal digits, a defect one sentence with its place", "[generate]") {
  auto const generation = generation_of("namespace n {\nbool f(int a) {\n  return a < 2;\n}\n}\n", {"relational"});
  REQUIRE(generation.mutants.size() == 3);
  const Generated& boundary = generation.mutants[1];
  CHECK(boundary.mutant.id.starts_with("relational/"));
  CHECK(boundary.mutant.id.size() == 11 + 12);
  CHECK(boundary.mutant.id.find_first_not_of("0123456789abcdef", 11) == std::string::npos);
  CHECK(boundary.mutant.defect == "`<` becomes `<=` in f (a.cpp:3:12)");
  CHECK(boundary.function == "n::f");
  CHECK(boundary.signature == "(int)");
}

TEST_CASE("what a source hides from a reader is shown in a defect", "[generate]") {
  auto const generation = generation_of("void g(const char*);\nvoid f() { g(\"\xE2\x80\xAE\"); }\n", {"call_removed"});
  REQUIRE(generation.mutants.size() == 1);
  CHECK(generation.mutants[0].mutant.defect.find("\xE2\x80\xAE") == std::string::npos);
}

TEST_CASE("equal ends of a change are cut off", "[generate]") {
  FileSyntax const file{"a.cpp", "f(a + b);", {}, {}};
  Scope const scope;
  Change const change = trimmed({&file, &scope}, {{2, 7}, "a - b"});
  CHECK(change.range == Range{4, 5});
  CHECK(change.text == "-");
}
