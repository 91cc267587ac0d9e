#include "gates/runner/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/catch.h"

using namespace redproof::gates;

namespace {

bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

}  // namespace

TEST_CASE("a descriptor closes when it goes, and once only after it is moved", "[descriptor]") {
  int fd = -1;
  {
    Descriptor first = open_for_reading("/dev/null");
    fd = first.get();
    Descriptor const second = std::move(first);
    CHECK_FALSE(first.open());
    CHECK(second.get() == fd);
    CHECK(is_open(fd));
  }
  CHECK_FALSE(is_open(fd));
}

TEST_CASE("assigning over an open descriptor closes it", "[descriptor]") {
  Descriptor one = open_for_reading("/dev/null");
  int const fd = one.get();
  one = open_for_reading("/dev/zero");
  CHECK(one.get() != fd);
  CHECK_FALSE(is_open(fd));
}

TEST_CASE("pipes carry bytes, close on exec and never take a standard stream's place", "[descriptor]") {
  int const saved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
  close(STDIN_FILENO);
  Pipe const pipe = make_pipe();
  Descriptor const null = open_for_reading("/dev/null");
  if (saved >= 0) {
    dup2(saved, STDIN_FILENO);
    close(saved);
  }
  for (int const fd : {pipe.read.get(), pipe.write.get(), null.get()}) {
    CHECK(fd > STDERR_FILENO);
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  }
  char byte = 0;
  CHECK(write(pipe.write.get(), "x", 1) == 1);
  CHECK(read(pipe.read.get(), &byte, 1) == 1);
  CHECK(byte == 'x');
}

TEST_CASE("a file that is not there gives a closed descriptor", "[descriptor]") { CHECK_FALSE(open_for_reading("/no/such/file").open()); }
