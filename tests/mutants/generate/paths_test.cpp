#include "mutants/driver/generate/paths.h"

#include <filesystem>

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using Files = std::vector<std::string>;

namespace {

struct Sources {
  test::TemporaryFolder folder;
  const std::filesystem::path& root = folder.path();

  Sources() {
    for (const char* file :
         {"a.cpp", "d/b.h", "d/c.cu", "d/e/f.cpp", "d/notes.md", "d/part.inc", "out/CMakeCache.txt", "out/made.cpp", ".git/g.cpp"})
      test::write(root / file, "\n");
  }
};

}  // namespace

TEST_CASE("files, folders and globs, sorted and each once", "[generate]") {
  Sources const sources;
  CHECK(sources_of(sources.root, {"d/b.h"}) == Files{"d/b.h"});
  CHECK(sources_of(sources.root, {"d/", "d/b.h"}) == Files{"d/b.h", "d/c.cu", "d/e/f.cpp"});
  CHECK(sources_of(sources.root, {"."}) == Files{"a.cpp", "d/b.h", "d/c.cu", "d/e/f.cpp"});
  CHECK(sources_of(sources.root, {"d/*.h"}) == Files{"d/b.h"});
  CHECK(sources_of(sources.root, {"*.cpp"}) == Files{"a.cpp"});
  CHECK(sources_of(sources.root, {"**/*.cpp"}) == Files{"a.cpp", "d/e/f.cpp"});
  CHECK(sources_of(sources.root, {"d/**/f.cpp"}) == Files{"d/e/f.cpp"});
  CHECK(sources_of(sources.root, {"d/**"}) == Files{"d/b.h", "d/c.cu", "d/e/f.cpp"});
  CHECK(sources_of(sources.root, {"d/?.cu"}) == Files{"d/c.cu"});
  CHECK(sources_of(sources.root, {"d/part.inc"}) == Files{"d/part.inc"});
}

TEST_CASE("a link in a folder is not followed", "[generate]") {
  Sources const sources;
  std::filesystem::create_symlink("../a.cpp", sources.root / "d/link.cpp");
  CHECK(sources_of(sources.root, {"d"}) == Files{"d/b.h", "d/c.cu", "d/e/f.cpp"});
  CHECK(sources_of(sources.root, {"d/link.cpp"}) == Files{"a.cpp"});
}

TEST_CASE("a path outside the root, or that names no source, is refused", "[generate]") {
  Sources const sources;
  for (const char* path : {"../a.cpp", "/etc", "", "d/notes.md", "none", "d/*.txt", "d/../../x", "**/.cpp", "d/**/.h"})
    CHECK_THROWS_AS(sources_of(sources.root, {path}), redproof::gates::Refusal);
  test::TemporaryFolder const elsewhere;
  test::write(elsewhere.path() / "x.cpp", "\n");
  std::filesystem::create_symlink(elsewhere.path() / "x.cpp", sources.root / "link.cpp");
  CHECK_THROWS_AS(sources_of(sources.root, {"link.cpp"}), redproof::gates::Refusal);
}
