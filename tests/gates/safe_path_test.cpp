#include "gates/runner/safe_path.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using redproof::tests::Folder;
using redproof::tests::write;

TEST_CASE("a path of others is relative and never goes up", "[safe_path]") {
  for (auto const* path : {"a", "a/b.cpp", "./a", "a..b/c", "..a"}) CHECK(is_safe_relative(path));
  for (auto const* path : {"", "/a", "..", "../a", "a/../b", "a/..", "a\\b", "a\nb", "a\x7f"}) CHECK_FALSE(is_safe_relative(path));
}

TEST_CASE("a link out of the root does not stay below it", "[safe_path]") {
  Folder const folder;
  Folder const outside;
  write(folder / "in/file", "x");
  write(outside / "file", "x");
  std::filesystem::create_symlink(outside.path(), folder / "out");
  std::filesystem::create_symlink(folder / "in", folder / "inner");
  CHECK(stays_below(folder.path(), folder / "in/file"));
  CHECK(stays_below(folder.path(), folder / "inner/file"));
  CHECK(stays_below(folder.path(), folder / "in/not_there"));
  CHECK_FALSE(stays_below(folder.path(), folder / "out/file"));
  CHECK_FALSE(stays_below(folder.path(), folder / "out/not_there"));
  CHECK_FALSE(stays_below(folder / "in", folder / "in2"));
  CHECK_FALSE(stays_below(folder / "missing", folder / "missing/file"));
}
