#include "engine/checkpoint/mapped_file.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

#include "tests/catch.h"
#include "tests/engine/checkpoint/fixture.h"

namespace redproof::tests {
namespace {

struct Ended {
  int status;
  std::string said;  // on stderr
};

// Runs `act` in a process of its own; exit code 42 where it comes to its end.
Ended run_apart(const std::function<void()>& act) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  pid_t const child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    act();
    ::_exit(42);
  }
  ::close(ends[1]);
  Ended ended{};
  std::array<char, 1024> buffer{};
  for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
    ended.said.append(buffer.data(), static_cast<std::size_t>(got));
  ::close(ends[0]);
  ::waitpid(child, &ended.status, 0);
  return ended;
}

int touch(const engine::MappedFile& file, std::size_t at) {
  volatile const std::byte* const bytes = file.bytes().data();
  return std::to_integer<int>(static_cast<std::byte>(bytes[at]));
}

}  // namespace

TEST_CASE("a file that shrank while it was mapped ends the process with one line and exit code 1", "[mapped_file]") {
  TemporaryFolder const folder;
  folder.write("weights", std::string(100000, 'x'));
  folder.write("other", std::string(100000, 'y'));
  std::string const path = (folder.path() / "weights").string();
  Ended const ended = run_apart([&] {
    auto const other = engine::MappedFile::open(folder.path() / "other");
    auto const file = engine::MappedFile::open(path);
    std::filesystem::resize_file(path, 4096);
    if (touch(*other, 90000) == 'y' && touch(*file, 100) == 'x') touch(*file, 90000);
  });
  REQUIRE(WIFEXITED(ended.status));
  CHECK(WEXITSTATUS(ended.status) == 1);
  CHECK(ended.said == path + ": shrank while it was mapped\n");
}

TEST_CASE("of files that are mapped one after the other, the one that shrank is named", "[mapped_file]") {
  TemporaryFolder const folder;
  folder.write("first", std::string(100000, 'x'));
  folder.write("second", std::string(100000, 'y'));
  std::string const path = (folder.path() / "second").string();
  Ended const ended = run_apart([&] {
    if (touch(*engine::MappedFile::open(folder.path() / "first"), 90000) != 'x') return;
    auto const file = engine::MappedFile::open(path);
    std::filesystem::resize_file(path, 4096);
    touch(*file, 90000);
  });
  REQUIRE(WIFEXITED(ended.status));
  CHECK(WEXITSTATUS(ended.status) == 1);
  CHECK(ended.said == path + ": shrank while it was mapped\n");
}

TEST_CASE("a file that keeps its size is read to its end", "[mapped_file]") {
  TemporaryFolder const folder;
  folder.write("weights", std::string(100000, 'x'));
  Ended const ended = run_apart([&] {
    auto const file = engine::MappedFile::open(folder.path() / "weights");
    touch(*file, 99999);
  });
  REQUIRE(WIFEXITED(ended.status));
  CHECK(WEXITSTATUS(ended.status) == 42);
  CHECK(ended.said.empty());
}

TEST_CASE("what cannot be mapped is refused with its name", "[mapped_file]") {
  TemporaryFolder const folder;
  std::string const path = (folder.path() / "pipe").string();
  CHECK(refusal_of([&] { engine::MappedFile::open(path); }) == path + ": no such file");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(refusal_of([&] { engine::MappedFile::open(path); }) == path + ": not a regular file");
  folder.write("empty", "");
  CHECK(refusal_of([&] { engine::MappedFile::open(folder.path() / "empty"); }) == (folder.path() / "empty").string() + ": empty");
}

}  // namespace redproof::tests
