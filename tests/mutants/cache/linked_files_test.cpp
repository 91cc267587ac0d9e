#include "mutants/driver/cache/linked_files.h"

#include "gates/runner/interrupt.h"
#include "mutants/driver/interrupted.h"
#include "mutants/driver/plant/sha256.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
namespace fs = std::filesystem;

TEST_CASE("files behind a link are told by name, each folder once, however links lead in circles", "[cache]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "store/a", "one");
  test::write(folder.path() / "store/deep/b", "two");
  test::write(folder.path() / "elsewhere/c", "three");
  for (const char* const name : {"store/up", "store/again", "store/deep/here"}) fs::create_symlink(".", folder.path() / name);
  fs::create_symlink("self", folder.path() / "store/self");
  fs::create_symlink(folder.path() / "elsewhere", folder.path() / "store/out");
  fs::create_symlink("store", folder.path() / "link");
  CHECK(linked_files(folder.path() / "link", Told::by_content) == "../elsewhere/c " + sha256("three") + "\na " + sha256("one") +
                                                                      "\nagain -> .\ndeep/b " + sha256("two") +
                                                                      "\ndeep/here -> deep\nout -> ../elsewhere\nup -> .\n");
  CHECK(linked_files(folder.path() / "store/a", Told::by_content) == " " + sha256("one") + "\n");
  CHECK(linked_files(folder.path() / "none", Told::by_content).empty());
}

TEST_CASE("large folders are told by sizes and times", "[cache]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "a", "one");
  std::string const before = linked_files(folder.path(), Told::by_time);
  CHECK(before.starts_with("a 3 "));
  fs::last_write_time(folder.path() / "a", fs::last_write_time(folder.path() / "a") + std::chrono::seconds(1));
  CHECK(linked_files(folder.path(), Told::by_time) != before);
}

TEST_CASE("an interrupt ends the walk", "[cache]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "a", "one");
  redproof::gates::interrupt();
  CHECK_THROWS_AS(linked_files(folder.path(), Told::by_time), Interrupted);
  redproof::gates::forget_interrupt();
}
