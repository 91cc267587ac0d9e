#include "gates/runner/scratch.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using redproof::gates::Scratch;
using namespace redproof::tests;

TEST_CASE("a scratch folder is private, below its parent, and gone afterwards with everything in it", "[scratch]") {
  Folder const folder;
  std::filesystem::path path;
  {
    Scratch const scratch(folder.path());
    Scratch const other(folder.path());
    path = scratch.path();
    CHECK(path.parent_path() == folder.path());
    CHECK(path != other.path());
    CHECK((std::filesystem::status(path).permissions() & std::filesystem::perms::all) == std::filesystem::perms::owner_all);
    write(path / "a/b/c", "x");
    std::filesystem::permissions(path / "a/b", std::filesystem::perms::none);
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("what a link in a scratch folder points to stays", "[scratch]") {
  Folder const folder;
  write(folder / "kept/file", "x");
  {
    Scratch const scratch(folder.path());
    std::filesystem::create_directory_symlink(folder / "kept", scratch.path() / "link");
  }
  CHECK(slurp(folder / "kept/file") == "x");
}

TEST_CASE("a parent that is not there is refused by name", "[scratch]") {
  CHECK(message_of([] { Scratch const scratch("/no/such/folder"); }) ==
        "/no/such/folder: no temporary folder can be made: No such file or directory");
}
