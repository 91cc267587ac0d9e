#include "gates/runner/standard_streams.h"

#include <unistd.h>

#include <cstdio>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

std::filesystem::path program() { return std::filesystem::canonical("/proc/self/exe").parent_path() / "gates"; }

}  // namespace

TEST_CASE("what stdout does not take is refused", "[standard_streams]") {
  std::fflush(stdout);
  int const kept = dup(STDOUT_FILENO);
  REQUIRE(std::freopen("/dev/full", "w", stdout) != nullptr);
  auto const message = message_of([] { print("text"); });
  std::clearerr(stdout);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  CHECK(message == "stdout: cannot be written: No space left on device");
}

TEST_CASE("a closed stdout is an output that cannot be written, and no file takes its number", "[standard_streams]") {
  Folder const folder;
  write(folder / "gates/a.gate.json", gate_file("a", "exit 0"));
  for (std::string const arguments : {"run", "list", "show a", "check", "run -o out.json --format json", "--help", "run --help"}) {
    auto spec =
        shell("\"$GATES\" " + arguments + " >&- 2> err; echo code $?; cat err; exec > /dev/null; \"$GATES\" " + arguments + " <&- 2>&-");
    spec.cwd = folder.path();
    spec.set_env = {{"GATES", program().string()}};
    auto const result = run_process(spec);
    INFO(arguments);
    CHECK(result.output == "code 1\ngates: stdout: cannot be written: Bad file descriptor\n");
    CHECK(result.exit_code == 0);
  }
}
