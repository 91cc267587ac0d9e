// The program `gates` itself, as it stands beside this test program.
#include <csignal>
#include <thread>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

std::filesystem::path program() { return std::filesystem::canonical("/proc/self/exe").parent_path() / "gates"; }

struct Project {
  Folder folder;
  Project(std::initializer_list<std::pair<std::string, std::string>> scripts) {
    std::filesystem::create_directory(folder / "gates");
    for (auto const& [id, script] : scripts) write(folder / ("gates/" + id + ".gate.json"), gate_file(id, script));
  }

  // `gates ARGUMENTS` by a shell, in the project's root.
  ProcessResult gates(const std::string& arguments) const {
    REQUIRE(std::filesystem::exists(program()));
    auto spec = shell("exec \"$GATES\" " + arguments);
    spec.cwd = folder.path();
    spec.set_env = {{"GATES", program().string()}};
    return run_process(spec);
  }

  int exit_code(const std::string& arguments) const {
    auto const result = gates(arguments);
    INFO(result.output);
    CHECK(result.ended_by_itself());
    return result.exit_code;
  }
};

// Times differ from run to run.
std::string without_seconds(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    auto line = text.substr(at, end - at);
    auto const unit = line.find(" s", line.find("elements") == std::string::npos ? line.size() : line.find("elements"));
    if (unit != std::string::npos) line.erase(line.find("elements") + 8, unit - line.find("elements") - 8);
    out += line + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("green gates end 0, with a line a gate, the sum, and the seed", "[program]") {
  Project const project({{"a", leaving(green_evidence("a"), 0)}, {"b", "exit 0"}});
  auto const result = project.gates("run --jobs 2");
  CHECK(result.exit_code == 0);
  CHECK(without_seconds(result.output) ==
        "seed 1\n"
        "green      a                                    10 elements s  margin 8  slack 2\n"
        "green      b                                     - elements s  by its exit code only\n"
        "2 green, 0 red, 0 vacuous, 0 skipped, 0 broken\n"
        "gates: 2 of 2 green\n");
}

TEST_CASE("the limit of every gate is multiplied by what is asked for", "[program]") {
  Project const project({{"a", "sleep 5"}});
  auto const result = project.gates("run --timeout-factor 0.01");
  INFO(result.output);
  CHECK(result.exit_code == 8);
  CHECK(result.output.find("timed out\n") != std::string::npos);
}

TEST_CASE("a red gate ends 2 and shows its worst element, even beside a broken one", "[program]") {
  Project const project({{"a", leaving(red_evidence("a"), 2)}, {"b", "kill -SEGV $$"}});
  auto const result = project.gates("run");
  CHECK(result.exit_code == 2);
  for (auto const* text : {"inputs    x=1.5", "observed  0x39", "truth     0x38", "error     2, bound 0.5", "gates: 0 of 2 green\n"})
    CHECK(result.output.find(text) != std::string::npos);
}

TEST_CASE("a gate that is vacuous, skipped or broken ends 8", "[program]") {
  auto const skipped = replaced(green_evidence("c"), R"("verdict":"green","reason":"")", R"("verdict":"skipped","reason":"no AVX2")");
  Project const project({{"a", "exit 0"},
                         {"b", leaving(replaced(green_evidence("b"), "{\"ties\":4}", "{\"ties\":5}"), 0)},
                         {"c", leaving(skipped, 8)},
                         {"d", "kill -SEGV $$"}});
  CHECK(project.exit_code("run a") == 0);
  for (auto const* id : {"b", "c", "d", "b c d", ""}) CHECK(project.exit_code(std::string("run ") + id) == 8);
}

TEST_CASE("an empty set ends 8, whether no gate is there or no gate has the subject", "[program]") {
  Project const project({{"a", "exit 0"}});
  CHECK(project.exit_code("run --subject cuda") == 8);
  CHECK(project.exit_code("list --subject cuda") == 8);
  CHECK(project.exit_code("run --subject cpu/avx2") == 0);
  Project const empty({});
  CHECK(empty.exit_code("run --root .") == 8);
  CHECK(empty.exit_code("list --root .") == 8);
}

TEST_CASE("before a merge run the gates of that stage, in the night all of them", "[program]") {
  Project const project({{"a", "exit 0"}});
  write(project.folder / "gates/b.gate.json", replaced(gate_file("b", "exit 1"), "\"run\"", R"("stage":"nightly","run")"));
  CHECK(project.exit_code("run --stage premerge") == 0);
  CHECK(project.exit_code("run --stage nightly") == 2);
  CHECK(project.exit_code("run") == 2);
  CHECK(project.gates("run --stage premerge 2>&1").output.find("gates: 1 of 1 green\n") != std::string::npos);
  CHECK(project.gates("list --stage premerge").output.ends_with("\n1 gates\n"));
  CHECK(project.exit_code("run b --stage premerge") == 8);
  CHECK(project.gates("run b --stage premerge 2>&1 >out").output == "gates: --stage: premerge: no gate of these is run then\n");
  CHECK(project.exit_code("run --stage weekly") == 1);
  CHECK(project.gates("run --format json").output.find(R"("stage": "nightly")") != std::string::npos);
}

TEST_CASE("a root that holds no gate is told by every command, beside its exit code and what it prints", "[program]") {
  Project const project({{"a", "exit 0"}});
  std::filesystem::create_directory(project.folder / "bare");
  std::filesystem::create_directories(project.folder / "empty/gates");
  for (std::string const root : {"bare", "empty"}) {
    std::string const line = "gates: " + (project.folder / root).string() + ": holds no gates/*.gate.json\n";
    auto const said = [&](const std::string& arguments) { return project.gates(arguments + " --root " + root + " 2>&1 >out").output; };
    for (auto const* arguments : {"run", "list", "run --format json", "list --format json", "run nope", "list nope", "show nope"})
      CHECK(said(arguments) == line);
    CHECK(project.gates("check --root " + root).output ==
          (project.folder / root).string() + ": holds no gates/*.gate.json\n0 gate files, 1 problems\n");
    CHECK(project.exit_code("run --root " + root) == 8);
    CHECK(project.exit_code("list --root " + root) == 8);
    for (auto const* command : {"run nope", "list nope", "show nope", "check"})
      CHECK(project.exit_code(std::string(command) + " --root " + root) == 1);
  }
  CHECK(project.gates("run --subject cuda 2>&1 >out").output == "gates: --subject: cuda: no gate of these has it\n");
  CHECK(project.gates("list a --subject cuda 2>&1 >out").output == "gates: --subject: cuda: no gate of these has it\n");
  CHECK(project.gates("run 2>&1 >out").output.empty());
}

TEST_CASE("a command line without a command names the commands", "[program]") {
  Project const project({{"a", "exit 0"}});
  CHECK(project.gates("").output == "gates: A subcommand is required: run, list, check or show\n");
  CHECK(project.gates("walk").output == "gates: 'walk' is no command: run, list, check or show\n");
  CHECK(project.gates("--walk").output == "gates: '--walk' is no command: run, list, check or show\n");
}

TEST_CASE("a usage error ends 1 on one line", "[program]") {
  Project const project({{"a", "exit 0"}});
  for (auto const* arguments :
       {"", "walk", "run --jobs 0", "run --jobs x", "run --seed -1", "run --seed 18446744073709551616", "run --seed 1.5",
        "run --format xml", "list --format junit", "show", "run --bin none", "run --root none", "run -o", "attest"}) {
    auto const result = project.gates(arguments);
    INFO(arguments << ": " << result.output);
    CHECK(result.exit_code == 1);
    CHECK(result.output.starts_with("gates: "));
    CHECK(std::count(result.output.begin(), result.output.end(), '\n') == 1);
  }
}

TEST_CASE("an unknown gate, beside known ones or not, ends 1 before anything runs", "[program]") {
  Project const project({{"a", "touch ran"}});
  auto const result = project.gates("run a nope");
  CHECK(result.exit_code == 1);
  CHECK(result.output == "gates: nope: no gate has this id\n");
  CHECK(project.exit_code("run 'x*'") == 1);
  CHECK(project.exit_code("show nope") == 1);
  CHECK_FALSE(std::filesystem::exists(project.folder / "ran"));
}

TEST_CASE("a malformed gate file ends 1 and names file and field, whichever gate is asked for", "[program]") {
  Project const project({{"a", "touch ran"}});
  write(project.folder / "gates/b.gate.json", replaced(gate_file("b", ""), "\"claim\"", "\"clam\""));
  auto const result = project.gates("run a");
  CHECK(result.exit_code == 1);
  CHECK(result.output == "gates: " + (project.folder / "gates/b.gate.json").string() + ": (root): unknown key \"clam\"\n");
  CHECK_FALSE(std::filesystem::exists(project.folder / "ran"));
}

TEST_CASE("a working folder without gates above it ends 1", "[program]") {
  Project const project({});
  CHECK(project.exit_code("run") == 1);
}

TEST_CASE("what nobody foresaw ends 70", "[program]") {
  Project const project({{"a", "exit 0"}});
  auto spec = shell("mkdir gone && cd gone && rmdir ../gone && exec \"$GATES\" list");
  spec.cwd = project.folder.path();
  spec.set_env = {{"GATES", program().string()}};
  auto const result = run_process(spec);
  CHECK(result.exit_code == 70);
  CHECK(result.output.starts_with("gates: internal error: "));
}

TEST_CASE("Ctrl-C ends 130, kills what runs and prints what had ended", "[program]") {
  Project const project({{"a", "exit 0"}, {"b", "echo $$ > pid; exec sleep 1000"}, {"c", "touch ran"}});
  auto spec =
      shell("\"$GATES\" run --jobs 1 & gates=$!; while [ ! -s pid ]; do sleep 0.01; done; kill -INT $gates; wait $gates; echo code $?");
  spec.cwd = project.folder.path();
  spec.set_env = {{"GATES", program().string()}};
  auto const result = run_process(spec);
  CHECK(without_seconds(result.output) ==
        "seed 1\n"
        "green      a                                     - elements s  by its exit code only\n"
        "interrupted: 1 of 3 gates ended\n"
        "1 green, 0 red, 0 vacuous, 0 skipped, 0 broken\n"
        "gates: 1 of 3 green\n"
        "code 130\n");
  CHECK(kill(std::stoi(slurp(project.folder / "pid")), 0) != 0);
  CHECK_FALSE(std::filesystem::exists(project.folder / "ran"));
}

TEST_CASE("Ctrl-C prints what had ended behind a gate that it cuts off", "[program]") {
  // One job is in `a`; `c` begins where the other has told of `b`.
  Project const project({{"a", "exec sleep 1000"}, {"b", "exit 0"}, {"c", "echo > ready; exec sleep 1000"}});
  auto spec =
      shell("\"$GATES\" run --jobs 2 & gates=$!; while [ ! -s ready ]; do sleep 0.01; done; kill -INT $gates; wait $gates; echo code $?");
  spec.cwd = project.folder.path();
  spec.set_env = {{"GATES", program().string()}};
  CHECK(without_seconds(run_process(spec).output) ==
        "seed 1\n"
        "green      b                                     - elements s  by its exit code only\n"
        "interrupted: 1 of 3 gates ended\n"
        "1 green, 0 red, 0 vacuous, 0 skipped, 0 broken\n"
        "gates: 1 of 3 green\n"
        "code 130\n");
}

TEST_CASE("when the program is killed outright its gates die too", "[program]") {
  Project const project({{"a", "setsid sleep 1000 & echo $! > pid; exec sleep 1000"}});
  auto spec = shell(
      "\"$GATES\" run & gates=$!; while [ ! -s pid ]; do sleep 0.01; done; kill -KILL $gates; n=0; "
      "while kill -0 $(cat pid) 2>/dev/null && [ $n -lt 2000 ]; do sleep 0.01; n=$((n+1)); done; kill -0 $(cat pid) 2>/dev/null || echo "
      "gone");
  spec.cwd = project.folder.path();
  spec.set_env = {{"GATES", program().string()}, {"TMPDIR", project.folder.path().string()}};  // its scratch folder stays
  CHECK(run_process(spec).output.ends_with("gone\n"));
}

TEST_CASE("a file takes the format, whole or not at all, while stdout stays for a reader", "[program]") {
  Project const project({{"a", "exit 0"}});
  auto const result = project.gates("run --format junit -o out.xml");
  CHECK(result.exit_code == 0);
  CHECK(result.output.ends_with("gates: 1 of 1 green\n"));
  CHECK(slurp(project.folder / "out.xml").starts_with("<?xml"));
  CHECK(project.gates("run --format json").output.starts_with("{\n"));
  CHECK(project.gates("run --format github").output.ends_with("gates: 1 of 1 green\n"));
  CHECK(project.exit_code("run -o out.txt") == 0);
  CHECK(slurp(project.folder / "out.txt").starts_with("seed 1\ngreen "));
  CHECK(project.exit_code("list --format json -o list.json") == 0);
  CHECK(slurp(project.folder / "list.json").find("redproof.gate_list.1") != std::string::npos);
}

TEST_CASE("an output that cannot be written ends 1, however green the gates are", "[program]") {
  Project const project({{"a", "exit 0"}});
  for (auto const* arguments :
       {"run -o /dev/full", "run -o none/out", "run --format json -o /dev/full", "run > /dev/full", "run --format json > /dev/full",
        "list > /dev/full", "show a > /dev/full", "check > /dev/full", "list -o /dev/full"}) {
    INFO(arguments);
    CHECK(project.exit_code(arguments) == 1);
  }
}

TEST_CASE("a reader that goes away ends the run with 1 and leaves nothing behind", "[program]") {
  Project const project({{"a", "while [ ! -e closed ]; do sleep 0.01; done"}, {"b", "exit 0"}});
  auto spec = shell(
      "mkdir tmp; { TMPDIR=$PWD/tmp \"$GATES\" run --jobs 1 2> err; echo $? > code; } | { exec <&-; echo > closed; }; cat code err; ls "
      "tmp");
  spec.cwd = project.folder.path();
  spec.set_env = {{"GATES", program().string()}};
  CHECK(run_process(spec).output == "1\ngates: stdout: cannot be written: Broken pipe\n");
}

TEST_CASE("the order of the output does not depend on the number of jobs", "[program]") {
  Project const project({{"a", "sleep 0.3"}, {"b", "exit 0"}, {"c", "exit 3"}, {"d", "sleep 0.1"}});
  auto const serial = without_seconds(project.gates("run --jobs 1").output);
  CHECK(serial.find("gates: 3 of 4 green\n") != std::string::npos);
  CHECK(without_seconds(project.gates("run --jobs 4").output) == serial);
}

TEST_CASE("the seed reaches the gates and is printed", "[program]") {
  Project const project({{"a", "[ \"$REDPROOF_SEED\" = 18446744073709551615 ]"}});
  auto const result = project.gates("run --seed 18446744073709551615");
  CHECK(result.exit_code == 0);
  CHECK(result.output.starts_with("seed 18446744073709551615\n"));
  CHECK(project.exit_code("run") == 2);
}

TEST_CASE("check ends 0 or 1 and prints every problem", "[program]") {
  Project const project({{"a", "exit 0"}});
  CHECK(project.gates("check").output == "1 gate files, 0 problems\n");
  CHECK(project.exit_code("check") == 0);
  write(project.folder / "gates/b.gate.json", "{}");
  CHECK(project.gates("check").exit_code == 1);
  CHECK(project.gates("check").output.ends_with("2 gate files, 6 problems\n"));
}

TEST_CASE("list and show print gates, and run nothing", "[program]") {
  Project const project({{"a", "touch ran"}, {"b", "touch ran"}});
  CHECK(project.gates("list 'a*'").output == "a                                cpu          premerge what it claims\n1 gates\n");
  CHECK(project.gates("show a").output.starts_with("gate         a\nclaim        what it claims\n"));
  CHECK_FALSE(std::filesystem::exists(project.folder / "ran"));
}

TEST_CASE("help ends 0 and names every exit code", "[program]") {
  Project const project({});
  for (auto const* arguments : {"--help", "run --help", "list --help", "check --help", "show --help"}) {
    auto const result = project.gates(arguments);
    CHECK(result.exit_code == 0);
    for (auto const* code :
         {"130 interrupted", "70 internal", "1 usage", "2 a gate is red", "8 a gate is vacuous", "0 every gate is green"})
      CHECK(result.output.find(code) != std::string::npos);
  }
}

TEST_CASE("control characters in a gate's text never reach a terminal", "[program]") {
  Project const project({{"a", "printf '\\033[2Jhello\\n'; exit 1"}});
  auto const result = project.gates("run");
  CHECK(result.output.find('\x1b') == std::string::npos);
  CHECK(result.output.find("    | \\x1b[2Jhello\n") != std::string::npos);
}

TEST_CASE("what a runner that was killed outright left is swept by the next", "[program]") {
  Project const project({{"a", "echo > started; exec sleep 1000"}, {"b", "exit 0"}});
  auto spec = shell(
      "mkdir tmp; export TMPDIR=$PWD/tmp; \"$GATES\" run a & gates=$!; while [ ! -s started ]; do sleep 0.01; done; kill -KILL $gates; "
      "wait $gates; ls tmp | wc -l; \"$GATES\" run b; ls tmp | wc -l");
  spec.cwd = project.folder.path();
  spec.set_env = {{"GATES", program().string()}};
  auto const output = run_process(spec).output;
  CHECK(output.find("\n1\nseed 1\n") != std::string::npos);
  CHECK(output.ends_with("gates: 1 of 1 green\n0\n"));
}

TEST_CASE("a bad TMPDIR ends 1 on one line that names it", "[program]") {
  Project const project({{"a", "exit 0"}});
  for (std::string const folder : {"/dev/null", "/no/such/folder"}) {
    auto spec = shell("TMPDIR=" + folder + " \"$GATES\" run 2>&1 > /dev/null");
    spec.cwd = project.folder.path();
    spec.set_env = {{"GATES", program().string()}};
    auto const result = run_process(spec);
    CHECK(result.exit_code == 1);
    CHECK(result.output.starts_with("gates: TMPDIR: " + folder + ": "));
    CHECK(std::count(result.output.begin(), result.output.end(), '\n') == 1);
  }
  auto spec = shell("TMPDIR= \"$GATES\" run");
  spec.cwd = project.folder.path();
  spec.set_env = {{"GATES", program().string()}};
  CHECK(run_process(spec).exit_code == 0);
}

TEST_CASE("evidence with anything after it is broken", "[program]") {
  Project const project(
      {{"a", "cat > e <<END\n" + green_evidence("a") + "\nEND\n{ cat e; printf '\\0garbage'; } > \"$REDPROOF_EVIDENCE\"\n"}});
  auto const result = project.gates("run");
  CHECK(result.exit_code == 8);
  CHECK(result.output.find("evidence: no valid JSON at byte ") != std::string::npos);
}
