#include "mutants/driver/schemata/shared.h"

#include <algorithm>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

// What CUDA makes of the word does not matter here, as long as it is one.
SharedMemory shared_of(const std::string& body, std::string* source = nullptr) {
  std::string const text = "#define __shared__ __attribute__((annotate(\"s\")))\nvoid kernel(int n) {" + body + "}\n";
  FileSyntax const file = test::parsed(text);
  REQUIRE(file.broken == "");
  REQUIRE(file.scopes.size() == 1);
  if (source != nullptr) *source = text;
  return shared_memory(file.scopes.front(), file);
}

}  // namespace

TEST_CASE("shared memory stands in front of all bodies, with the constants that it needs", "[schemata]") {
  std::string source;
  auto const shared = shared_of(
      "\n  constexpr int m = 4;\n  int i = n;\n  const int k = 2 * m;\n  using T = float;\n  __shared__ T tile[m][k],\n    more;\n"
      "  constexpr int behind = 3;\n  tile[0][0] = more = i + behind;\n",
      &source);
  CHECK(shared.declarations == "constexpr int m = 4; const int k = 2 * m; using T = float; __shared__ T tile[m][k],\n    more; ");
  CHECK(shared.decided_by.size() == 4);
  REQUIRE(shared.moved.size() == 4);
  std::string const pristine = spliced(source, {0, source.size()}, shared.moved);
  CHECK(pristine.find("constexpr int m") == std::string::npos);
  CHECK(pristine.find("__shared__ T") == std::string::npos);
  CHECK(pristine.find("int i = n;") != std::string::npos);
  CHECK(pristine.find("constexpr int behind = 3;") != std::string::npos);
  CHECK(pristine.size() == source.size());
  REQUIRE(shared.blanks.size() == 1);
  std::string const other = spliced(source, {0, source.size()}, shared.blanks);
  CHECK(other.find("constexpr int m = 4;") != std::string::npos);
  CHECK(other.find("__shared__ T") == std::string::npos);
  CHECK(std::count(other.begin(), other.end(), '\n') == std::count(source.begin(), source.end(), '\n'));
}

TEST_CASE("memory whose size may come from a value, or that stands in an inner block, stays where it is", "[schemata]") {
  CHECK(shared_of("\n  if (n > 0) { __shared__ int inner[4]; inner[0] = n; }\n").declarations.empty());
  CHECK(shared_of("\n  int plain[4]; plain[0] = n;\n").declarations.empty());
  CHECK(shared_of("\n  const int m = n;\n  __shared__ int tile[4]; tile[0] = m;\n").declarations == "__shared__ int tile[4]; ");
}

TEST_CASE("memory of the launch's size is shared as well", "[schemata]") {
  CHECK(shared_of("\n  extern __shared__ int ring[];\n  ring[0] = n;\n").declarations == "extern __shared__ int ring[]; ");
}
