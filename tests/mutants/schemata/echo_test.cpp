#include "mutants/driver/schemata/echo.h"

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

TEST_CASE("a fresh echo says that nothing ran", "[schemata]") {
  test::TemporaryFolder const folder;
  write_echo(folder.path() / "echo", 3, 7);
  Echo const echo = read_echo(folder.path() / "echo", 3);
  CHECK(echo.processes == 0);
  CHECK(echo.hits == 0);
  CHECK_FALSE(echo.hung);
  CHECK(echo.entered == std::vector<std::uint64_t>(3, 0));
  CHECK(echo.ticked == std::vector<std::uint64_t>(3, 0));
}

TEST_CASE("an echo of another length, or none, is refused", "[schemata]") {
  test::TemporaryFolder const folder;
  write_echo(folder.path() / "echo", 3, 7);
  CHECK_THROWS_AS(read_echo(folder.path() / "echo", 4), redproof::gates::Refusal);
  CHECK_THROWS_AS(write_echo(folder.path() / "nowhere/echo", 3, 7), redproof::gates::Refusal);
}
