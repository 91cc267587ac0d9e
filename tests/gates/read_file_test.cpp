#include "gates/runner/read_file.h"

#include <sys/stat.h>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using redproof::gates::read_file;
using namespace redproof::tests;

TEST_CASE("a file is read whole up to its limit, and refused one byte past it", "[read_file]") {
  Folder const folder;
  write(folder / "a", std::string(1000, 'x'));
  CHECK(read_file(folder / "a", 1000) == std::string(1000, 'x'));
  CHECK(message_of([&] { read_file(folder / "a", 999); }) == (folder / "a").string() + ": larger than 999 bytes");
  write(folder / "empty", "");
  CHECK(read_file(folder / "empty", 0).empty());
}

TEST_CASE("what is no regular file is refused and never waited for", "[read_file]") {
  Folder const folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(message_of([&] { read_file(folder / "pipe", 10); }) == (folder / "pipe").string() + ": no regular file");
  CHECK(message_of([&] { read_file(folder.path(), 10); }) == folder.path().string() + ": no regular file");
  CHECK(message_of([&] { read_file("/dev/zero", 10); }) == "/dev/zero: no regular file");
  CHECK(message_of([&] { read_file(folder / "none", 10); }) == (folder / "none").string() + ": cannot be read: No such file or directory");
}

TEST_CASE("a link is followed only where that is asked for", "[read_file]") {
  Folder const folder;
  write(folder / "a", "x");
  std::filesystem::create_symlink(folder / "a", folder / "link");
  CHECK(read_file(folder / "link", 10) == "x");
  CHECK_FALSE(message_of([&] { read_file(folder / "link", 10, false); }).empty());
}
