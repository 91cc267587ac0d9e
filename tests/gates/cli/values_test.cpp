// The program `gates`: what its options take, and what it refuses to take for something else.
#include <algorithm>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

constexpr const char* no_naturals[] = {"''",
                                       "-1",
                                       "-0",
                                       "+1",
                                       "010",
                                       "4x",
                                       "x4",
                                       "0x4",
                                       "' 4'",
                                       "'4 '",
                                       "4.0",
                                       "1e1",
                                       "\"1'0\"",
                                       "nan",
                                       "inf",
                                       "18446744073709551616",
                                       "99999999999999999999999"};

struct OneGate {
  Folder folder;
  OneGate() { write(folder / "gates/a.gate.json", gate_file("a", "touch ran")); }

  ProcessResult gates(const std::string& arguments) const {
    auto spec = shell("exec \"$GATES\" " + arguments);
    spec.cwd = folder.path();
    spec.set_env = {{"GATES", (std::filesystem::canonical("/proc/self/exe").parent_path() / "gates").string()}};
    return run_process(spec);
  }

  // One line that says this, exit code 1, and nothing has run.
  void refuses(const std::string& arguments, const std::string& what) const {
    auto const result = gates(arguments);
    INFO(arguments << ": " << result.output);
    CHECK(result.exit_code == 1);
    CHECK(result.output.starts_with("gates: " + what));
    CHECK(std::count(result.output.begin(), result.output.end(), '\n') == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "ran"));
  }
};

}  // namespace

TEST_CASE("a number that is empty, below, above, no number or more than one is refused by option and value", "[program]") {
  OneGate const project;
  for (std::string const option : {"--jobs", "--seed"})
    for (std::string const value : no_naturals) {
      project.refuses("run " + option + " " + value, option + ": \"");
      if (value != "''") project.refuses("run " + option + "=" + value, option + ": \"");
    }
  project.refuses("run --jobs -1", "--jobs: \"-1\" is no integer from 1 to 1024\n");
  project.refuses("run --jobs 0", "--jobs: \"0\" is no integer from 1 to 1024\n");
  project.refuses("run --jobs 1025", "--jobs: \"1025\" is no integer from 1 to 1024\n");
  project.refuses("run --seed '1\n2'", "--seed: \"1\\x0a2\" is no integer from 0 to 18446744073709551615\n");
  project.refuses("run --timeout-factor 0", "--timeout-factor: \"0\" is no number from 0.01 to 1000\n");
  project.refuses("run --timeout-factor nan", "--timeout-factor: \"nan\" is no number from 0.01 to 1000\n");
  CHECK(project.gates("run --jobs 1024 --seed 18446744073709551615 --timeout-factor 1e1").exit_code == 0);
}

TEST_CASE("an empty word is refused by every option that takes one, and never stands for the default", "[program]") {
  OneGate const project;
  for (std::string const option : {"--root", "--bin", "--subject", "--output"})
    project.refuses("run " + option + " ''", option + ": is empty\n");
  for (std::string const command : {"run", "list", "check", "show a"}) project.refuses(command + " -o ''", "--output: is empty\n");
  for (std::string const command : {"list", "check", "show a"}) project.refuses(command + " --root ''", "--root: is empty\n");
  project.refuses("run --format ''", "--format: ");
  project.refuses("run --stage ''", "--stage: ");
  project.refuses("run ''", "ids: is empty\n");
  project.refuses("run a ''", "ids: is empty\n");
  project.refuses("list ''", "ids: is empty\n");
  project.refuses("show ''", "id: is empty\n");
}

TEST_CASE("an option that is given nothing by = does not take the next word", "[program]") {
  OneGate const project;
  for (std::string const option : {"--output", "--root", "--bin", "--subject", "--format", "--jobs", "--seed", "-o"})
    project.refuses("run " + option + "= a", option + "=: is empty\n");
  CHECK_FALSE(std::filesystem::exists(project.folder / "a"));
}
