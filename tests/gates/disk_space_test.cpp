#include "gates/runner/disk_space.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

TEST_CASE("a folder whose file system has room, tells no size or is not there is not full", "[disk_space]") {
  Folder const folder;
  CHECK_FALSE(is_full(folder.path()));
  CHECK_FALSE(is_full(folder / "none"));
  CHECK_FALSE(is_full("/proc"));  // of no size at all
}

TEST_CASE("a disk without room is told with its folder and the variable that names another", "[disk_space]") {
  CHECK(no_space_in("/a/b", "TMPDIR") == "/a/b: no space left on the device; set TMPDIR to a folder with more room");
}
