#include "gates/runner/descendants.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/catch.h"

using redproof::gates::kill_children;

TEST_CASE("every child of this process is killed, and nobody else", "[descendants]") {
  pid_t children[3];
  for (auto& child : children) {
    child = fork();
    REQUIRE(child >= 0);
    if (child == 0)
      while (true) pause();
  }
  kill_children();
  for (auto const child : children) {
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGKILL);
  }
  CHECK(kill(getppid(), 0) == 0);
}
