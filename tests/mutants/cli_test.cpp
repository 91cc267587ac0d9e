// The program `mutate`: its exit codes one by one, its verbs and its formats.
#include <algorithm>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/shell.h"

using redproof::mutants::test::Project;
using redproof::mutants::test::read;

using redproof::mutants::test::is_one_line;
using redproof::mutants::test::says;

namespace {

int code_of(const std::string& function, const std::string& kind, const std::string& rest = Project::reds) {
  Project project;
  project.add_edit("g/m", function, kind, rest);
  bool const ends = kind.find("force_condition") == std::string::npos;
  return project.mutate(ends ? std::vector<std::string>{} : std::vector<std::string>{"--timeout-factor", "0.3"}).exit_code;
}

// `mutate WORDS` by a shell, in the project's root; its stderr and its exit code come back.
redproof::gates::ProcessResult by_words(const Project& project, const std::string& words, const std::string& before = "true") {
  redproof::gates::ProcessSpec spec;
  spec.argv = {"sh", "-c", before + "; exec 3>&1; { \"$MUTATE\" --catalog mutants " + words + "; } 2>&3"};
  spec.cwd = project.root();
  spec.set_env = {{"MUTATE", (redproof::mutants::test::program_folder() / "mutate").string()}};
  return redproof::gates::run_process(spec);
}

}  // namespace

TEST_CASE("mutate exits 1 on one line where its report cannot be written", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  project.write("build/x/compile_commands.json",
                R"([{"directory":")" + project.root().string() + R"(","file":"src/store.cpp","command":"g++ -c src/store.cpp"}])");
  for (std::string const words : {"--list", "--check", "--dry-run", "--check --format json", "--check --format junit",
                                  "--check --format github", "symbols src/store.cpp --root .", "--help"})
    for (std::string const to : {" >/dev/full", " >&-", " <&- >&-"}) {
      std::string const why = to == " >/dev/full" ? "No space left on device" : "Bad file descriptor";
      auto const result = by_words(project, words + to);
      INFO(words << to << ": " << result.output);
      CHECK(result.exit_code == 1);
      CHECK(result.output == "mutate: stdout: cannot be written: " + why + "\n");
    }
}

TEST_CASE("a run whose report cannot be written exits 1 and keeps its outcomes", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  for (std::string const words : {"", "--format json", "--format junit", "--format github"}) {
    CHECK(by_words(project, words + " >/dev/full").exit_code == 1);
    CHECK(by_words(project, words + " >&-").exit_code == 1);
  }
  CHECK(says(by_words(project, "--format human"), "from an earlier run on the same inputs"));
}

TEST_CASE("an output folder that cannot be one is refused on one line before anything is copied", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  project.write("file", "x");
  std::filesystem::create_symlink("nowhere", project.root() / "dangling");
  for (std::string const out : {".", "..", "/", "./", "gates/..", "file", "dangling", "/proc/x", "/dev/null", "/dev/null/x", "src", "''"}) {
    auto const result = by_words(project, "--out " + out);
    INFO(out << ": " << result.output);
    CHECK(result.exit_code == 1);
    CHECK(is_one_line(result.output));
    CHECK_FALSE(says(result, "copying"));
  }
  CHECK(says(by_words(project, "--out . --check"), "holds the project"));
  CHECK(by_words(project, "--out out/").exit_code == 0);
  CHECK(std::filesystem::exists(project.root() / "out/outcomes.jsonl"));
}

TEST_CASE("a place where no lab can be made is refused by name", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  auto const refused = [&](const std::string& variables, const std::string& name) {
    auto const result = by_words(project, "--out ../o", variables);
    INFO(variables << ": " << result.output);
    CHECK(result.exit_code == 1);
    CHECK(says(result, "mutate: " + name));
    CHECK_FALSE(says(result, "internal error"));
  };
  refused("export REDPROOF_LAB=/dev/null", "/dev/null: no lab can be made there");
  refused("export REDPROOF_LAB=/proc/x", "/proc/x: no lab can be made there");
  refused("export REDPROOF_LAB= TMPDIR=/dev/null", "TMPDIR: /dev/null: Not a directory");
  refused("export REDPROOF_LAB= TMPDIR=/no/such/folder", "TMPDIR: /no/such/folder: No such file or directory");
  refused("export REDPROOF_LAB=$PWD/a\\;b", project.root().string() + "/a;b/");
  CHECK_FALSE(std::filesystem::exists("/no/such"));
}

TEST_CASE("an edit of a file that is not there is stale, and so is one of a file that no lab holds", "[cli]") {
  Project project;
  project.add_mutant("g/gone", R"("edit":{"file":"src/gone.cpp","function":"f","delete_statement":{"statement":"x"}},)" + Project::reds);
  CHECK(project.mutate({"--check"}).exit_code == 7);
  CHECK(says(project.mutate({"--check"}), "src/gone.cpp: no such file"));
  std::filesystem::remove(project.root() / "mutants/g/gone.mutant.json");
  redproof::gates::ProcessSpec git;
  git.argv = {"git", "init", "-q"};
  git.cwd = project.root();
  REQUIRE(redproof::gates::run_process(git).exit_code == 0);
  project.write(".gitignore", "/private\n");
  project.write("private", "bare = false\n");
  project.add_mutant("g/git", R"("edit":{"file":".git/config","text":{"find":"bare = false","replace":"bare = true"}},)" + Project::reds);
  project.add_mutant("g/ignored", R"("edit":{"file":"private","text":{"find":"false","replace":"true"}},)" + Project::reds);
  for (const char* id : {"g/git", "g/ignored"}) {
    CHECK(project.mutate({"--check", id}).exit_code == 7);
    CHECK(project.mutate({id}).exit_code == 7);
    CHECK(says(project.mutate({"--check", id}), "is not copied to a lab"));
  }
}

TEST_CASE("mutate exits 0 where all is as declared and prints diff, hashes, build, gate and figures", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  auto const result = project.mutate({"g/m"});
  CHECK(result.exit_code == 0);
  for (const char* text : {"+  total += pair(v, k);", "sha256 before", "mutated", "restored", "build: exit 0", "program out/prog",
                           "gate pairs (red): red", "observed 42  truth 24", "outcome: killed, as declared", "all as declared (exit 0)"})
    CHECK(says(result, text));
  CHECK(says(project.mutate({"g/m"}), "from an earlier run on the same inputs"));
}

TEST_CASE("mutate exits with the code of the loudest outcome", "[cli]") {
  CHECK(code_of("store", Project::survivor) == 2);
  CHECK(code_of("guard", R"("force_condition":{"condition":"left > 0","value":true})") == 3);
  CHECK(code_of("store", R"("replace_literal":{"literal":"99","with":"8"})") == 7);
  CHECK(code_of("guard", R"("replace_expression":{"expression":"code","with":"2"})") == 8);
  CHECK(code_of("guard", R"("replace_expression":{"expression":"code","with":"1"})") == 10);
  Project project;
  project.add_edit("g/stale", "store", R"("replace_literal":{"literal":"99","with":"8"})");
  project.add_edit("g/survivor", "store", Project::survivor);
  CHECK(project.mutate({}).exit_code == 2);
}

TEST_CASE("mutate exits 1 where it is asked for what it cannot do, in one line", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  CHECK(project.mutate({"nothing/*"}).exit_code == 1);
  CHECK(says(project.mutate({"nothing/*"}), "mutate: no mutant matches nothing/*\n"));
  CHECK(project.mutate({"--no-such-flag"}).exit_code == 1);
  CHECK(project.mutate({"--jobs", "0"}).exit_code == 1);
  project.add_edit("g/lawless", "store", Project::swap, R"("reds":[{"gate":"pairs","law":"no_such_law"}])");
  CHECK(says(project.mutate({"--check"}), "no law named no_such_law"));
  CHECK(project.mutate({"--check"}).exit_code == 1);
  project.add_edit("g/lawless", "store", Project::swap, R"("reds":[{"gate":"no_such_gate","law":"x"}])");
  CHECK(project.mutate({}).exit_code == 1);
  project.write("mutants/g/lawless.mutant.json", "{");
  CHECK(project.mutate({"--list"}).exit_code == 1);
}

TEST_CASE("mutate exits 4 on a tree that is not green and 8 on an empty catalogue", "[cli]") {
  Project project;
  CHECK(project.mutate({}).exit_code == 8);
  project.add_edit("g/m", "store", Project::swap);
  project.write("src/main.cpp", "int main() { return 5; }\n");
  auto const result = project.mutate({});
  CHECK(result.exit_code == 4);
  CHECK(says(result, "gate pairs is broken on the pristine tree"));
}

TEST_CASE("mutate lists, checks and plans without running anything", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  CHECK(says(project.mutate({"--list"}), "g/m  one defect"));
  CHECK(says(project.mutate({"--check"}), "1 of 1 mutants apply exactly once"));
  CHECK(says(project.mutate({"--dry-run"}), "g/m: build prog; run pairs"));
  CHECK_FALSE(std::filesystem::exists(project.options().out));
}

TEST_CASE("mutate's printed sums add up to the number of mutants", "[cli]") {
  Project project;
  project.add_edit("g/a", "store", Project::swap);
  project.add_edit("g/b", "store", Project::survivor);
  project.add_edit("g/c", "store", R"("replace_literal":{"literal":"99","with":"8"})");
  auto const result = project.mutate({"--format", "json", "-o", (project.root().parent_path() / "report.json").string()});
  CHECK(result.exit_code == 2);
  std::string const report = read(project.root().parent_path() / "report.json");
  for (const char* text : {"\"killed\": 1", "\"survived\": 1", "\"stale\": 1", "\"not_run\": 0", "\"all\": 3", "\"exit_code\": 2"})
    CHECK(report.find(text) != std::string::npos);
  CHECK(says(project.mutate({"--format", "junit"}), "tests=\"3\" failures=\"1\" errors=\"1\""));
  CHECK(says(project.mutate({"--format", "github"}), "::error file=src/store.cpp,line=5,title=g/b survived::"));
}

TEST_CASE("mutate prints the symbols of a file", "[cli]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  project.mutate({"--check"});
  redproof::mutants::test::write(
      project.root() / "build/x/compile_commands.json",
      R"([{"directory":")" + project.root().string() + R"(","file":"src/store.cpp","command":"g++ -c src/store.cpp"}])");
  redproof::gates::ProcessSpec spec;
  spec.argv = {redproof::mutants::test::program_folder() / "mutate", "symbols", "src/store.cpp"};
  spec.cwd = project.root();
  auto const result = redproof::gates::run_process(spec);
  CHECK(result.exit_code == 0);
  CHECK(says(result, "src/store.cpp::store\n"));
  CHECK(says(result, "src/store.cpp::guard\n"));
}

TEST_CASE("mutate documents its exit codes", "[cli]") {
  Project const project;
  for (std::vector<std::string> const& words : std::vector<std::vector<std::string>>{{"--help"}, {"symbols", "--help"}}) {
    auto const help = project.mutate(words);
    CHECK(help.exit_code == 0);
    for (const char* code : {"130", "9 ", "70", "1 usage", "4 the pristine", "2 a mutant", "10 wrong_reason", "7 stale", "8 no evidence",
                             "12 a worker", "3 timeout", "0 every"})
      CHECK(says(help, code));
  }
}

TEST_CASE("mutate says what share is killed by what runs before a merge", "[cli]") {
  Project project;
  project.add_edit("g/a", "store", Project::swap);
  project.add_edit("g/b", "store", R"("replace_literal":{"literal":"-1","with":"-2"})", R"("reds":[{"gate":"both","law":"signs"}])");
  CHECK(says(project.mutate({"--no-resume"}), "killed by what runs before a merge: 2 of 2 judged, 100.0 %\n"));
  std::string gate = read(project.root() / "gates/pairs.gate.json");
  project.write("gates/pairs.gate.json", gate.insert(1, R"("stage":"nightly",)"));
  auto const result = project.mutate({});
  CHECK(result.exit_code == 0);
  CHECK(says(result, "killed: 2 of 2 judged, 100.0 %"));
  CHECK(says(result, "killed by what runs before a merge: 1 of 2 judged, 50.0 %\n"));
}
