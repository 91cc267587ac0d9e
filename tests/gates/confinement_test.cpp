#include "gates/runner/confinement.h"

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

TEST_CASE("a confined process writes below its roots and nowhere else, and so do its children", "[confinement]") {
  Folder const inside;
  Folder const outside;
  write(outside / "old", "old");
  auto spec = shell("echo a > " + (inside / "a").string() + "; mkdir " + (inside / "d").string() + "; mv " + (inside / "a").string() + " " +
                    (inside / "d/b").string() + "; echo x > " + (outside / "x").string() + "; sh -c 'echo y > " + (outside / "y").string() +
                    "; rm " + (outside / "old").string() + "'; echo z > /dev/null && cat " + (outside / "old").string());
  spec.writable_roots = {inside.path()};
  auto const result = run_process(spec);
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK(slurp(inside / "d/b") == "a\n");
  CHECK(result.landlock_applied == (landlock_version() > 0));
  bool const written = std::filesystem::exists(outside / "x") || std::filesystem::exists(outside / "y");
  CHECK(written == !result.landlock_applied);
  CHECK(std::filesystem::exists(outside / "old") == result.landlock_applied);
}

TEST_CASE("a confined process moves files from folder to folder below its roots, where the kernel can allow it", "[confinement]") {
  Folder const inside;
  write(inside / "a", "x");
  std::filesystem::create_directory(inside / "d");
  auto spec = shell("ln a d/b");  // a link has no way round by copying
  spec.cwd = inside.path();
  spec.writable_roots = {inside.path()};
  auto const result = run_process(spec);
  INFO(result.output);
  CHECK((result.exit_code == 0) == (landlock_version() != 1));
  CHECK(std::filesystem::exists(inside / "d/b") == (landlock_version() != 1));
}

TEST_CASE("a confined process makes and removes entries of every kind below its roots only", "[confinement]") {
  Folder const inside;
  Folder const outside;
  for (auto const* folder : {&inside, &outside}) {
    write(*folder / "old", "old");
    std::filesystem::create_directory(*folder / "empty");
  }
  for (auto const* script : {"ln -s old link", "rmdir empty", "mkfifo pipe", "mkdir folder", "rm old", "echo > file",
                             "exec perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => \"socket\", Listen => 1) or exit 1'"}) {
    INFO(script);
    auto spec = shell(script);
    spec.writable_roots = {inside.path()};
    spec.cwd = inside.path();
    CHECK(run_process(spec).exit_code == 0);
    spec.cwd = outside.path();
    CHECK((run_process(spec).exit_code == 0) == (landlock_version() == 0));
  }
}

TEST_CASE("a confined process cannot cut a file off without opening it, where the kernel can tell", "[confinement]") {
  Folder const inside;
  Folder const outside;
  for (auto const* folder : {&inside, &outside}) write(*folder / "old", "old");
  auto spec = shell("perl -e 'truncate($_, 0) for @ARGV' " + (inside / "old").string() + " " + (outside / "old").string());
  spec.writable_roots = {inside.path()};
  auto const result = run_process(spec);
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK(slurp(inside / "old").empty());
  CHECK(slurp(outside / "old").empty() == (landlock_version() < 3));
}

TEST_CASE("a root that is not there is refused by name", "[confinement]") {
  if (landlock_version() == 0) {
    CHECK_FALSE(write_only_below({"/no/such/folder"}).open());
  } else {
    CHECK(message_of([] { write_only_below({"/no/such/folder"}); }) ==
          "/no/such/folder: cannot be made writable: No such file or directory");
  }
}

TEST_CASE("without roots nothing is confined", "[confinement]") {
  Folder const folder;
  auto const result = run_process(shell("echo a > " + (folder / "a").string()));
  CHECK(result.exit_code == 0);
  CHECK_FALSE(result.landlock_applied);
  CHECK(slurp(folder / "a") == "a\n");
}
