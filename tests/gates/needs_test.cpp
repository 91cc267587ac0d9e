#include "gates/runner/needs.h"

#include <cstdlib>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using redproof::gates::missing_need;
using namespace redproof::tests;

TEST_CASE("the first need that is not met is named", "[needs]") {
  Folder const folder;
  write(folder / "root/data", "x");
  write_script(folder / "bin/tool", "exit 0\n");
  write(folder / "bin/text", "x");
  setenv("REDPROOF_TEST_NEED", "1", 1);
  setenv("REDPROOF_TEST_EMPTY", "", 1);
  auto gate = shell_gate("g", "");
  auto const missing = [&] { return missing_need(gate, folder / "root", folder / "bin"); };
  CHECK_FALSE(missing().has_value());
  gate.needs = {"file:data", "program:tool", "program:sh", "env:REDPROOF_TEST_NEED"};
  CHECK_FALSE(missing().has_value());
  for (auto const* need : {"file:none", "program:no-such-tool", "program:text", "env:REDPROOF_TEST_ABSENT", "env:REDPROOF_TEST_EMPTY"}) {
    gate.needs = {"file:data", need, "file:other"};
    CHECK(missing() == need);
  }
  unsetenv("REDPROOF_TEST_NEED");
  unsetenv("REDPROOF_TEST_EMPTY");
}
