#include "gates/runner/write_file.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

TEST_CASE("a file is written where it stands, or at its end", "[write_file]") {
  Folder const folder;
  write_in_place(folder / "a", "first, and long");
  write_in_place(folder / "a", "second");
  append_to_file(folder / "a", ", third");
  append_to_file(folder / "b", "only");
  CHECK(slurp(folder / "a") == "second, third");
  CHECK(slurp(folder / "b") == "only");
}

TEST_CASE("what a device does not take is refused with what the system says", "[write_file]") {
  CHECK(message_of([] { write_in_place("/dev/full", "x"); }) == "/dev/full: cannot be written: No space left on device");
  CHECK(message_of([] { append_to_file("/dev/full", "x"); }) == "/dev/full: cannot be written: No space left on device");
  Folder const folder;
  for (auto* const write_to : {write_in_place, append_to_file})
    CHECK(message_of([&] { write_to(folder.path(), "x"); }) == folder.path().string() + ": cannot be written: Is a directory");
}
