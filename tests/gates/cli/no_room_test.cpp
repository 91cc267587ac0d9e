// The program `gates` where what it writes does not fit, or nobody reads it.
#include <algorithm>
#include <csignal>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

struct Project {
  Folder folder;
  explicit Project(const std::string& script = "exit 0") { write(folder / "gates/a.gate.json", gate_file("a", script)); }

  // SCRIPT by a shell in the root, where $GATES is the program; its temporary folder is tmp.
  ProcessResult by_shell(const std::string& script) const {
    std::filesystem::create_directory(folder / "tmp");
    auto spec = shell(script);
    spec.cwd = folder.path();
    spec.set_env = {{"GATES", (std::filesystem::canonical("/proc/self/exe").parent_path() / "gates").string()},
                    {"TMPDIR", (folder / "tmp").string()}};
    return run_process(spec);
  }

  bool holds_only(const std::vector<std::string>& names) const {
    std::vector<std::string> there;
    for (auto const& entry : std::filesystem::directory_iterator(folder.path())) there.push_back(entry.path().filename());
    std::sort(there.begin(), there.end());
    return there == names && std::filesystem::is_empty(folder / "tmp");
  }
};

}  // namespace

TEST_CASE("a file that may not grow so large ends 1 on one line, is not there, and nothing is left of it", "[program]") {
  Project const project;
  for (std::string const arguments :
       {"list -o out", "list --format json -o out", "show a -o out", "check -o out", "run --format json -o out 2>&1 >/dev/null"}) {
    auto const result = project.by_shell("ulimit -f 0; exec \"$GATES\" " + arguments);
    INFO(arguments << ": " << result.output);
    CHECK(result.signal == 0);
    CHECK(result.exit_code == 1);
    CHECK(result.output == "gates: out: cannot be written: File too large\n");
    CHECK(project.holds_only({"gates", "tmp"}));
  }
}

TEST_CASE("a stdout that is a file and may not grow so large ends 1 on one line", "[program]") {
  Project const project;
  for (std::string const arguments : {"list", "show a", "check", "run", "run --format json", "--help", "run --help"}) {
    auto const result = project.by_shell("ulimit -f 0; exec \"$GATES\" " + arguments + " >out");
    INFO(arguments << ": " << result.output);
    CHECK(result.signal == 0);
    CHECK(result.exit_code == 1);
    CHECK(result.output == "gates: stdout: cannot be written\n");
  }
}

TEST_CASE("a reader that is gone ends every command with 1 on one line", "[program]") {
  Project const project;
  for (std::string const arguments : {"list", "show a", "check", "run", "run --format json", "--help", "run --help"}) {
    auto const result = project.by_shell("{ while [ ! -e gone ]; do sleep 0.01; done; \"$GATES\" " + arguments +
                                         " 2>err; echo $? >code; } | { exec <&-; echo >gone; }; cat code err; rm -f gone");
    INFO(arguments);
    CHECK(result.output == "1\ngates: stdout: cannot be written\n");
  }
}

TEST_CASE("a gate that writes more than the user's limit ends as it always would", "[program]") {
  Project const project("echo text >file; echo alive");
  auto const result = project.by_shell("ulimit -f 0; exec \"$GATES\" run");
  CHECK(result.exit_code == 8);
  CHECK(result.output.find("killed by signal 25") != std::string::npos);
}
