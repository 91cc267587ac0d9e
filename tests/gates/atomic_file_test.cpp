#include "gates/runner/atomic_file.h"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using redproof::gates::require_writable;
using redproof::gates::write_file_atomically;
using namespace redproof::tests;

namespace {

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("a file is written, and replaced, with nothing left beside it", "[atomic_file]") {
  Folder const folder;
  write_file_atomically(folder / "a", "first");
  CHECK(slurp(folder / "a") == "first");
  write_file_atomically(folder / "a", std::string(1 << 20, 'x'));
  CHECK(slurp(folder / "a") == std::string(1 << 20, 'x'));
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a folder that is not there, or a folder in the file's place, is refused by name", "[atomic_file]") {
  Folder const folder;
  CHECK(message_of([&] { write_file_atomically(folder / "no/a", "x"); }) ==
        (folder / "no/a").string() + ": cannot be written: No such file or directory");
  std::filesystem::create_directory(folder / "dir");
  CHECK(message_of([&] { write_file_atomically(folder / "dir", "x"); }).find("cannot be written") != std::string::npos);
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a full device is refused and a null device swallows", "[atomic_file]") {
  CHECK(message_of([] { write_file_atomically("/dev/full", "x"); }) == "/dev/full: cannot be written: No space left on device");
  CHECK(message_of([] { write_file_atomically("/dev/null", "x"); }).empty());
}

TEST_CASE("a disk that fills up while a file is written leaves the old file and nothing beside it", "[atomic_file]") {
  Folder const folder;
  write(folder / "a", "old");
  rlimit before = {};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit const small = {1000, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  auto const message = message_of([&] { write_file_atomically(folder / "a", std::string(5000, 'x')); });
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, SIG_DFL);
  CHECK(message == (folder / "a").string() + ": cannot be written: File too large");
  CHECK(slurp(folder / "a") == "old");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a link stays, and what it leads to is written", "[atomic_file]") {
  Folder const folder;
  write(folder / "real/out", "before");
  std::filesystem::create_symlink("out", folder / "real/inner");
  std::filesystem::create_symlink("real/inner", folder / "link");
  write_file_atomically(folder / "link", "after");
  CHECK(slurp(folder / "real/out") == "after");
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(std::filesystem::is_symlink(folder / "real/inner"));
  std::filesystem::create_symlink("real/new", folder / "dangling");
  write_file_atomically(folder / "dangling", "made");
  CHECK(slurp(folder / "real/new") == "made");
  std::filesystem::create_symlink("loop", folder / "loop");
  CHECK(message_of([&] { write_file_atomically(folder / "loop", "x"); }) ==
        (folder / "loop").string() + ": cannot be written: Too many levels of symbolic links");
}

TEST_CASE("whether a file can be written is known beforehand, and asking leaves everything as it was", "[atomic_file]") {
  Folder const folder;
  write(folder / "a", "old");
  std::filesystem::create_symlink("new", folder / "dangling");
  std::filesystem::create_symlink("loop", folder / "loop");
  for (auto const& path : {folder / "a", folder / "b", folder / "dangling", std::filesystem::path("/dev/null")})
    CHECK(message_of([&] { require_writable(path); }).empty());
  std::pair<std::string, std::string> const refused[] = {{"none/r", "No such file or directory"},
                                                         {"a/r", "Not a directory"},
                                                         {".", "Is a directory"},
                                                         {"loop", "Too many levels of symbolic links"}};
  for (auto const& [name, why] : refused)
    CHECK(message_of([&] { require_writable(folder / name); }) ==
          (folder / name).string() + ": cannot be written: " + why + "; name a file in a folder that can be written");
  CHECK(slurp(folder / "a") == "old");
  CHECK(files_in(folder.path()) == 3);
}
