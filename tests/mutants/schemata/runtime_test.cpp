#include "mutants/driver/schemata/runtime.h"

#include "mutants/driver/schemata/echo.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

int run(const std::filesystem::path& folder, const std::string& orders, const std::string& echo) {
  redproof::gates::ProcessSpec spec;
  spec.argv = {"./prog"};
  spec.cwd = folder;
  spec.set_env = {{active_variable, orders}, {echo_variable, echo}};
  return redproof::gates::run_process(spec).exit_code;
}

}  // namespace

TEST_CASE("the runtime compiles beside libc's headers, in two files and two standards, and refuses orders that make no sense",
          "[schemata]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "runtime.h", runtime_header(2));
  test::write(folder.path() / "a.cpp",
              "#include \"runtime.h\"\n#include <stdlib.h>\n#include <fcntl.h>\n#include <sys/mman.h>\n#include <unistd.h>\nint f();\n"
              "int main() { return f() + redproof_schemata_gate[0] + 2 * redproof_schemata_gate[1]; }\n");
  test::write(
      folder.path() / "b.cpp",
      "#include <unistd.h>\n#include \"runtime.h\"\n#include \"runtime.h\"\nint f() { return 4 * (int)redproof_schemata_active; }\n");
  for (const char* standard : {"-std=c++11", "-std=c++20"}) {
    redproof::gates::ProcessSpec spec;
    spec.argv = {"g++", standard, "-Wall", "-Wextra", "-Werror", "-O1", "-o", "prog", "a.cpp", "b.cpp"};
    spec.cwd = folder.path();
    auto const built = redproof::gates::run_process(spec);
    INFO(built.output);
    REQUIRE(built.exit_code == 0);
  }
  std::string const echo = folder.path() / "echo";
  write_echo(echo, 2, 10);
  CHECK(run(folder.path(), "5:1", echo) == 4 * 5 + 2);
  CHECK(run(folder.path(), "5:0,1", echo) == 4 * 5 + 3);
  CHECK(run(folder.path(), "0:", echo) == 3);
  for (const char* orders : {"5:2", "5:x", "x", "5;1", "5:0,,1"}) CHECK(run(folder.path(), orders, echo) == no_orders_exit_code);
  CHECK(run(folder.path(), "5:1", folder.path() / "nowhere") == no_orders_exit_code);
  test::write(echo, std::string(200, 'x'));
  CHECK(run(folder.path(), "5:1", echo) == no_orders_exit_code);
}
