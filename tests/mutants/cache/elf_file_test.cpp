#include "mutants/driver/cache/elf_file.h"

#include "gates/runner/process.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

TEST_CASE("programs that load libraries are told from those that do not, and from what is none", "[cache]") {
  test::TemporaryFolder const folder;
  redproof::gates::ProcessSpec spec;
  spec.argv = {"sh", "-c", "echo 'int main() {}' | g++ -static -no-pie -o static -x c++ -"};
  spec.cwd = folder.path();
  REQUIRE(redproof::gates::run_process(spec).exit_code == 0);
  CHECK(loads_libraries("/proc/self/exe"));
  CHECK_FALSE(loads_libraries(folder.path() / "static"));
  test::write(folder.path() / "text", "#!/bin/sh\n");
  test::write(folder.path() / "short", "\177ELF");
  test::write(folder.path() / "cut", test::read("/proc/self/exe").substr(0, 40));
  CHECK_FALSE(loads_libraries(folder.path() / "text"));
  CHECK_FALSE(loads_libraries(folder.path() / "short"));
  CHECK(loads_libraries(folder.path() / "cut"));
  CHECK_FALSE(loads_libraries(folder.path() / "none"));
}
