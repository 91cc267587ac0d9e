#include "gates/runner/descendants.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/catch.h"

using redproof::gates::kill_children;

namespace {

// A child that waits for ever under a name that it has from its first moment.
pid_t child_named(char const* name) {
  char before[16] = {};
  REQUIRE(prctl(PR_GET_NAME, before) == 0);
  REQUIRE(prctl(PR_SET_NAME, name) == 0);
  pid_t const child = fork();
  if (child == 0)
    while (true) pause();
  REQUIRE(prctl(PR_SET_NAME, before) == 0);
  REQUIRE(child > 0);
  return child;
}

}  // namespace

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

TEST_CASE("a child is found whatever its name holds", "[descendants]") {
  for (auto const* name : {"a) S 1 (b", ")", "(", "a b", "1\n2", ""}) {
    INFO(name);
    pid_t const child = child_named(name);
    kill_children();
    kill(child, SIGUSR1);  // ends one that was not found; nothing comes after SIGKILL
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGKILL);
  }
}
