#include "gates/runner/oom_kills.h"

#include "tests/catch.h"

using redproof::gates::oom_kills;
using redproof::gates::oom_kills_in;

TEST_CASE("the kernel's count of kills for want of memory is read in both forms", "[oom_kills]") {
  CHECK(oom_kills_in("low 0\nhigh 3\nmax 5\noom 7\noom_kill 2\noom_group_kill 1\n") == 2);
  CHECK(oom_kills_in("oom_kill_disable 0\nunder_oom 0\noom_kill 11") == 11);
  CHECK(oom_kills_in("oom 7\noom_group_kill 1\n") == 0);
  CHECK(oom_kills_in("") == 0);
}

TEST_CASE("the count of our own group does not fall", "[oom_kills]") {
  auto const before = oom_kills();
  CHECK(oom_kills() >= before);
}
