#include "gates/runner/scratch.h"

#include <unistd.h>

#include "tests/catch.h"
#include "tests/gates/fixture.h"
#include "tests/skip.h"

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

TEST_CASE("a cleared scratch folder is as a fresh one, whatever was left in it or made of it", "[scratch]") {
  namespace fs = std::filesystem;
  Folder const folder;
  Scratch scratch(folder.path());
  auto const is_as_fresh = [&] {
    scratch.clear();
    auto const mode_of = [](const fs::path& path) { return fs::symlink_status(path).permissions() & fs::perms::mask; };
    return scratch.path().parent_path() == folder.path() && std::distance(fs::directory_iterator(scratch.path()), {}) == 1 &&
           fs::is_directory(fs::symlink_status(scratch.path() / "tmp")) && fs::is_empty(scratch.path() / "tmp") &&
           mode_of(scratch.path()) == fs::perms::owner_all && mode_of(scratch.path() / "tmp") == fs::perms::owner_all;
  };
  CHECK(is_as_fresh());
  auto const first = scratch.path();
  CHECK(is_as_fresh());
  CHECK(scratch.path() == first);
  write(scratch.path() / "evidence.json", "x");
  write(scratch.path() / "tmp/a/b", "x");
  CHECK(is_as_fresh());
  fs::permissions(scratch.path() / "tmp", fs::perms::none);
  CHECK(is_as_fresh());
  fs::permissions(scratch.path(), fs::perms::owner_read);
  CHECK(is_as_fresh());
  write(scratch.path() / "tmp/file", "x");
  fs::permissions(scratch.path() / "tmp", fs::perms::none);
  CHECK(is_as_fresh());
  write(folder / "kept/file", "x");
  fs::create_directories(folder / "kept/closed");
  fs::permissions(folder / "kept/closed", fs::perms::owner_read);
  fs::create_directory_symlink(folder / "kept", scratch.path() / "link");
  CHECK(is_as_fresh());
  CHECK(fs::status(folder / "kept/closed").permissions() == fs::perms::owner_read);
  fs::remove(scratch.path() / "tmp");
  fs::create_directory_symlink(folder / "kept", scratch.path() / "tmp");
  CHECK(is_as_fresh());
  fs::remove_all(scratch.path());
  CHECK(is_as_fresh());
  fs::remove_all(scratch.path());
  fs::create_directory_symlink(folder / "kept", scratch.path());
  CHECK(is_as_fresh());
  CHECK(slurp(folder / "kept/file") == "x");
}

TEST_CASE("a brief name is short, and never swept", "[scratch]") {
  Folder const folder;
  Scratch const scratch(folder.path(), true);
  CHECK(scratch.path().filename().string().size() == 6);
  redproof::gates::sweep_scratch(folder.path());
  CHECK(std::filesystem::exists(scratch.path()));
}

TEST_CASE("a parent that is not there is refused by name", "[scratch]") {
  CHECK(message_of([] { Scratch const scratch("/no/such/folder"); }) ==
        "/no/such/folder: no temporary folder can be made: No such file or directory");
}

TEST_CASE("folders of processes that are gone are swept, those of living ones and of others are not", "[scratch]") {
  Folder const folder;
  Scratch const living(folder.path());
  auto const name = living.path().filename().string();
  auto const space = name.substr(0, name.find('-', std::string("redproof-gate-").size()) + 1);  // redproof-gate-SPACE-
  std::string const own = std::to_string(getpid());
  auto const start = name.substr(space.size() + own.size() + 1, name.rfind('-') - space.size() - own.size() - 1);
  REQUIRE(name.starts_with(space + own + "-" + start + "-"));
  auto const gone = folder / (space + own + "-1" + start + "-aaaaaa");  // our number, given again
  auto const dead = folder / (space + "4194999-5-aaaaaa");              // past the largest number there is
  auto const elsewhere = folder / "redproof-gate-1-4194999-5-aaaaaa";
  auto const unknown = folder / "redproof-gate-aaaaaa";
  for (auto const& path : {gone, dead, elsewhere, unknown}) write(path / "tmp/file", "x");
  std::filesystem::permissions(dead / "tmp", std::filesystem::perms::none);
  write(folder / (space + "4194999-6-aaaaaa"), "a file");
  std::filesystem::create_directory_symlink(elsewhere, folder / (space + "4194999-7-aaaaaa"));
  redproof::gates::sweep_scratch(folder.path());
  CHECK_FALSE(std::filesystem::exists(gone));
  CHECK_FALSE(std::filesystem::exists(dead));
  for (auto const& path : {living.path(), elsewhere, unknown, folder / (space + "4194999-6-aaaaaa"), folder / (space + "4194999-7-aaaaaa")})
    CHECK(std::filesystem::exists(path));
  CHECK(slurp(elsewhere / "tmp/file") == "x");
}

TEST_CASE("a folder of another user is not swept, whatever its name says", "[scratch]") {
  Folder const folder;
  std::string name;
  {
    Scratch const scratch(folder.path());
    name = scratch.path().filename().string();
  }
  auto const own = folder / name.substr(0, name.find('-', std::string("redproof-gate-").size())).append("-4194999-5-aaaaaa");
  auto const theirs = folder / own.filename().string().replace(own.filename().string().size() - 6, 6, "bbbbbb");
  for (auto const& path : {own, theirs}) write(path / "file", "x");
  if (chown(theirs.c_str(), geteuid() + 1, getegid()) != 0) return skip_case("only root can give a folder away");
  redproof::gates::sweep_scratch(folder.path());
  CHECK_FALSE(std::filesystem::exists(own));
  CHECK(slurp(theirs / "file") == "x");
}
