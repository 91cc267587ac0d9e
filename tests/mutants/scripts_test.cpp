// What `scripts/test` rests on beside the programs: which mutants it plants in both ways, and what it counts of a report.
#include <algorithm>
#include <set>
#include <sstream>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/shell.h"

using redproof::gates::ProcessResult;
using redproof::mutants::test::Project;
using redproof::mutants::test::read;

namespace {

// In the project; `pick` draws from its catalogue, its words on stderr in ../said.
ProcessResult picked_by_shell(const Project& project, const std::string& script) {
  std::string const pick = "set -e; pick() { \"$SCRIPTS/pick\" \"$MUTATE\" mutants --out ../out 2>../said; }; ";
  return redproof::mutants::test::run_script(project, pick + script, {{"SCRIPTS", REDPROOF_ROOT "/scripts/test.d"}});
}

std::string said(const Project& project) { return read(project.root().parent_path() / "said"); }

std::set<std::string> lines_of(const std::string& text) {
  std::istringstream lines(text);
  std::set<std::string> set;
  for (std::string line; std::getline(lines, line);) set.insert(line);
  return set;
}

auto in_group(const std::set<std::string>& ids, const std::string& group) {
  return std::count_if(ids.begin(), ids.end(), [&](const std::string& id) { return id.starts_with(group + "/"); });
}

// Eight in `store` and 30 in `count`, under git.
void add_many(Project& project) {
  for (int i = 0; i < 8; ++i) project.add_edit("store/m" + std::to_string(i), "store", Project::swap);
  for (int i = 0; i < 30; ++i)
    project.add_edit("count/m" + std::to_string(i), "count", R"("replace_expression":{"expression":"n","with":"1"})");
  project.write("build/x/compile_commands.json", R"([{"directory":")" + project.root().string() +
                                                     R"(","file":"src/store.cpp","command":"g++ -std=c++20 -c src/store.cpp"}])");
  project.write(".gitignore", "build\n");
}

// What count.py prints of a report, and its exit code behind.
std::string counted(const std::string& kind, const std::string& report, int status) {
  redproof::mutants::test::TemporaryFolder const folder;
  redproof::mutants::test::write(folder.path() / "report", report);
  redproof::gates::ProcessSpec spec;
  spec.argv = {"sh",
               "-c",
               "python3 \"$0\" \"$@\" 2>said; echo \"exit $?\"",
               REDPROOF_ROOT "/scripts/test.d/count.py",
               kind,
               "report",
               std::to_string(status)};
  spec.cwd = folder.path();
  return redproof::gates::run_process(spec).output;
}

std::string both(const std::string& notes) { return R"({"mutants":[],"notes":[)" + notes + "]}"; }

}  // namespace

TEST_CASE("five of what a commit concerns and ten of all are planted in both ways, the same each time", "[scripts]") {
  Project project;
  add_many(project);
  auto const result = picked_by_shell(project,
                                      "git init -q . && git add . && git commit -qm one && sed -i 's/k < 0/k <  0/' src/store.cpp && "
                                      "git commit -qam two && pick >../first && pick >../second && cmp ../first ../second");
  INFO(result.output << said(project));
  REQUIRE(result.exit_code == 0);
  auto const ids = lines_of(read(project.root().parent_path() / "first"));
  CHECK(said(project).starts_with("5 of the 8 mutants that what changed since the parent commit concerns (3 left out), and ten drawn"));
  CHECK(in_group(ids, "store") >= 5);
  CHECK(in_group(ids, "count") + in_group(ids, "store") == static_cast<long>(ids.size()));
  CHECK(ids.size() >= 10);
  CHECK(ids.size() <= 15);
  // Another commit, another ten.
  REQUIRE(picked_by_shell(project, "git commit -q --allow-empty -m three && pick >../third").exit_code == 0);
  CHECK(said(project).find("0 of the 0 mutants") != std::string::npos);
  auto const others = lines_of(read(project.root().parent_path() / "third"));
  CHECK(others.size() == 10);
  CHECK_FALSE(std::includes(ids.begin(), ids.end(), others.begin(), others.end()));
}

TEST_CASE("without a parent commit there are ten, without any commit none, and a catalogue that is refused is a failure", "[scripts]") {
  Project project;
  add_many(project);
  CHECK(picked_by_shell(project, "pick").exit_code == 3);
  auto const first = picked_by_shell(project, "git init -q . && git add . && git commit -qm one && pick");
  INFO(first.output << said(project));
  CHECK(first.exit_code == 0);
  CHECK(lines_of(first.output).size() == 10);
  CHECK(said(project).starts_with("the parent commit is not here: only ten mutants"));
  project.write("mutants/store/m0.mutant.json", "{");
  auto const refused = picked_by_shell(project, "pick");
  CHECK(refused.exit_code == 1);
  CHECK(refused.output.empty());
  CHECK(said(project).find("m0.mutant.json") != std::string::npos);
}

TEST_CASE("a report counts what is as declared, and its program's exit code has the last word", "[scripts]") {
  std::string const gates = R"({"gates":[{"id":"a","verdict":"green"},{"id":"b","verdict":"attested"}]})";
  CHECK(counted("gates", gates, 0) == "2 0\nexit 0\n");
  CHECK(counted("gates", gates, 2) == "2 1\nexit 0\n");
  CHECK(counted("gates", R"({"gates":[]})", 0) == "0 1\nexit 0\n");
  CHECK(counted("gates", R"({"gates":[{"id":"a","verdict":"green"},{"id":"b","verdict":"skipped"}]})", 0) == "1 1\nexit 0\n");
  CHECK(counted("mutants", R"({"mutants":[{"id":"a","as_declared":true},{"id":"b","as_declared":false,"outcome":"survived"}]})", 2) ==
        "1 1\nexit 0\n");
  CHECK(counted("gates", "{", 0) == "exit 1\n");
}

TEST_CASE("both plantings count once, and only where something was compared and nothing differs", "[scripts]") {
  std::string const agree = R"("both plantings agree on 9 mutants and differ on 0; 1 only alone")";
  CHECK(counted("planting", both(agree), 0) == "1 0\nexit 0\n");
  CHECK(counted("planting", both(agree), 2) == "0 1\nexit 0\n");
  CHECK(counted("planting", both(R"("both plantings agree on 8 mutants and differ on 1; none only alone")"), 0) == "0 1\nexit 0\n");
  CHECK(counted("planting", both(R"("both plantings agree on 0 mutants and differ on 0; 9 only alone")"), 0) == "0 1\nexit 0\n");
  CHECK(counted("planting", both(""), 0) == "0 1\nexit 0\n");
}
