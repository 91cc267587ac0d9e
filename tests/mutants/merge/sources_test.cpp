#include "mutants/driver/merge/sources.h"

#include "gates/runner/refusal.h"
#include "mutants/driver/plant/diff.h"
#include "mutants/driver/plant/sha256.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

struct LeftSources {
  test::TemporaryFolder folder;
  PlannedMutant planned;

  LeftSources(const std::string& before, const std::string& after) {
    test::write(folder.path() / "tree/a b.cpp", before);
    test::write(folder.path() / "out/diff/g/m.diff", unified_diff("a b.cpp", before, after));
    planned.mutant.id = "g/m";
    planned.finding.files = {{"a b.cpp", "", "", sha256(before), sha256(after)}};
  }
  void restore() { restore_sources(folder.path() / "out", folder.path() / "tree", planned); }
};

}  // namespace

TEST_CASE("what a mutant made of its file comes back from the tree and the diff", "[merge]") {
  for (const auto& [before, after] : {std::pair("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "1\nTWO\n3\n4\n5\n6\n7\n8\n9\nTEN\n"),
                                      std::pair("a\r\nb\r\n", "a\r\nB\r\n"), std::pair("a\nb", "a\nB"), std::pair("\n\nx\n", "\n\n\n")}) {
    LeftSources left(before, after);
    left.restore();
    CHECK(left.planned.finding.files[0].before == before);
    CHECK(left.planned.finding.files[0].after == after);
  }
}

TEST_CASE("another tree and another diff are refused", "[merge]") {
  LeftSources left("a\nb\n", "a\nB\n");
  test::write(left.folder.path() / "out/diff/g/m.diff", unified_diff("a b.cpp", "a\nb\n", "A\nb\n"));
  CHECK_THROWS_WITH(left.restore(), ContainsSubstring("is not the diff that the plan speaks of"));
  test::write(left.folder.path() / "tree/a b.cpp", "a\nc\n");
  CHECK_THROWS_WITH(left.restore(), ContainsSubstring("is not there as the run saw it; name its tree with --root"));
  LeftSources gone("a\nb\n", "a\nB\n");
  std::filesystem::remove(gone.folder.path() / "tree/a b.cpp");
  CHECK_THROWS_WITH(gone.restore(), ContainsSubstring("name its tree with --root"));
}
