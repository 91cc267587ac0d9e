// The program `mutate` where what it writes does not fit, or nobody reads it; and limits that the user has set.
#include <algorithm>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using redproof::gates::ProcessResult;
using redproof::mutants::test::Project;
namespace fs = std::filesystem;

namespace {

// In the project's root, where mutate is the program with the catalogue and the output folder ../out.
ProcessResult without_room(const Project& project, const std::string& script) {
  redproof::gates::ProcessSpec spec;
  spec.argv = {"sh", "-c", "mutate() { \"$PROGRAM\" --catalog mutants --out ../out \"$@\"; }; " + script};
  spec.cwd = project.root();
  spec.set_env = {{"PROGRAM", (redproof::mutants::test::program_folder() / "mutate").string()}};
  return redproof::gates::run_process(spec);
}

std::vector<std::string> temporary_files_below(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename().string().find(".tmp") != std::string::npos) found.push_back(entry.path());
  return found;
}

}  // namespace

TEST_CASE("a report that may not grow so large ends 1 on one line, is not there, and nothing is left of it", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  project.write("build/x/compile_commands.json",
                R"([{"directory":")" + project.root().string() + R"(","file":"src/store.cpp","command":"g++ -c src/store.cpp"}])");
  std::string const before = project.hash();
  for (std::string const words : {"--list -o ../report", "--check -o ../report", "--check --format json -o ../report",
                                  "--dry-run -o ../report", "--operators list -o ../report"}) {
    auto const result = without_room(project, "ulimit -f 0; mutate " + words);
    INFO(words << ": " << result.output);
    CHECK(result.signal == 0);
    CHECK(result.exit_code == 1);
    CHECK(result.output == "mutate: ../report: cannot be written: File too large\n");
  }
  CHECK(without_room(project, "ulimit -f 0; mutate --list >../stdout").output == "mutate: stdout: cannot be written: File too large\n");
  fs::remove(project.root() / "../stdout");
  CHECK(without_room(project, "ls ..").output == "labs\nproject\n");
  CHECK(project.hash() == before);
}

TEST_CASE("a report that cannot be written is refused on one line before anything is copied, merged or made", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  REQUIRE(without_room(project, "mutate -o ../first").exit_code == 0);
  std::string const before = project.hash();
  std::pair<std::string, std::string> const refused[] = {
      {"../none/r", "No such file or directory"}, {"../labs", "Is a directory"}, {"../first/r", "Not a directory"}};
  for (auto const& [output, why] : refused)
    for (std::string const command : {"mutate", "mutate --format json", "mutate --no-resume g/m", "mutate --check", "mutate --list",
                                      "mutate --dry-run", "mutate --operators list", "mutate explain g/m", "mutate apply g/m",
                                      "\"$PROGRAM\" schema plan", "\"$PROGRAM\" merge ../out --out ../merged"}) {
      auto const result = without_room(project, command + " -o " + output + " 2>&1 >../said; code=$?; cat ../said; rm ../said; exit $code");
      INFO(command << " -o " << output << ": " << result.output);
      CHECK(result.exit_code == 1);
      CHECK(result.output == "mutate: " + output + ": cannot be written: " + why + "; name a file in a folder that can be written\n");
    }
  CHECK(without_room(project, "ls ..").output == "first\nlabs\nout\nproject\n");
  CHECK(project.hash() == before);
}

TEST_CASE("a report may lie in the output folder that its run makes, but not deeper and not in its place", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  for (int time = 0; time < 2; ++time) {
    auto const result = without_room(project, "mutate -o ../out/report");
    INFO(result.output);
    CHECK(result.exit_code == 0);
    CHECK(fs::exists(project.root() / "../out/report"));
  }
  for (std::string const output : {"../out", "../out/diff/report"}) {
    auto const result = without_room(project, "mutate -o " + output);
    INFO(result.output);
    CHECK(result.exit_code == 1);
    CHECK(result.output == "mutate: " + output + ": the output folder is made anew by the run; name a file beside it, or directly in it\n");
  }
  CHECK(fs::exists(project.root() / "../out/report"));
}

TEST_CASE("mutate without a catalogue or a command names both", "[cli]") {
  Project const project;
  auto const result = without_room(project, "exec \"$PROGRAM\"");
  CHECK(result.exit_code == 1);
  CHECK(result.output == "mutate: --catalog DIR is missing, or a subcommand: symbols, merge, explain, apply or schema\n");
}

TEST_CASE("a tree that may not be copied or built whole ends the run with 1, and no lab and no temporary file is left", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  std::string const before = project.hash();
  auto const copied = without_room(project, "ulimit -f 1; mutate; echo code $?");
  INFO(copied.output);
  CHECK(copied.output.find("File too large; the limit on the size of files (ulimit -f) is too low\ncode 1\n") != std::string::npos);
  for (int const blocks : {8, 24}) {
    auto const built = without_room(project, "ulimit -f " + std::to_string(blocks) + "; mutate; echo code $?");
    INFO(blocks << ": " << built.output);
    CHECK(built.output.ends_with("code 1\n"));
    CHECK(built.output.find("(ulimit -f) is too low\n") != std::string::npos);
  }
  CHECK(fs::is_empty(project.lab_home()));
  CHECK(temporary_files_below(project.root().parent_path()).empty());
  CHECK(project.hash() == before);
}

TEST_CASE("a reader that is gone ends a run with 1 on one line, and its outcomes are kept", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  auto const result =
      without_room(project,
                   "{ while [ ! -e ../gone ]; do sleep 0.01; done; mutate 2>../err; echo $? >../code; } | { exec <&-; echo >../gone; }; "
                   "cat ../code; grep -c stdout ../err; wc -l <../out/outcomes.jsonl");
  INFO(result.output);
  CHECK(result.output == "1\n1\n1\n");
  CHECK(fs::is_empty(project.lab_home()));
}

TEST_CASE("a lower limit that the user has set holds for gates, and keeps none from starting", "[cli]") {
  Project project;
  project.write("gates/limits.gate.json", R"({"id":"limits","claim":"c","theorem":"t","subjects":["cpu"],"timeout_s":60,)"
                                          R"("run":{"argv":["sh","-c","[ $(ulimit -H -f) = 1000000 ] && [ $(ulimit -S -f) = 900000 ]"]}})");
  project.add_edit("g/m", "store", Project::swap, R"("reds":[{"gate":"pairs","law":"pairs"}],"keeps_green":["limits"])");
  auto const result = without_room(project, "ulimit -S -f 900000; ulimit -H -f 1000000; mutate; echo code $?");
  INFO(result.output);
  CHECK(result.output.ends_with("code 0\n"));
}
