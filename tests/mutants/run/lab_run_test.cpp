// Interruption, and what several workers and runs do to each other.
#include "mutants/driver/run/lab_run.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <thread>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using test::Project;
namespace fs = std::filesystem;

extern char** environ;

namespace {

// Four mutants, each slow enough to be met at work.
void add_slow_mutants(Project& project) {
  std::string build = test::read(project.root() / "build.sh");
  build.insert(build.find("g++ -std=c++20 -O1"), "sleep 0.3\n");
  project.write("build.sh", build);
  fs::permissions(project.root() / "build.sh", fs::perms::owner_all);
  for (const char* id : {"g/a", "g/b", "g/c", "g/d"}) project.add_edit(id, "store", Project::swap);
}

pid_t start(const Project& project, const char* more = nullptr) {
  std::string const program = test::program_folder() / "mutate", catalog = project.root() / "mutants", out = project.options().out;
  std::vector<const char*> argv{program.c_str(), "--catalog", catalog.c_str(), "--out", out.c_str(), "--jobs", "1", more, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int const failed = posix_spawn(&child, program.c_str(), &actions, nullptr, const_cast<char* const*>(argv.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  REQUIRE(failed == 0);
  return child;
}

// Until one outcome is on disk.
void wait_for_outcome(const Project& project) {
  for (int i = 0; i < 1000 && test::read(project.options().out / "outcomes.jsonl").empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

int end(pid_t child, int signal) {
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

std::size_t reused(const RunReport& report) {
  std::size_t count = 0;
  for (const Record& record : report.records) count += record.reused ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("an interrupt ends the run with 130, keeps finished outcomes and removes the lab", "[run]") {
  for (int const signal : {SIGINT, SIGTERM}) {
    Project project;
    add_slow_mutants(project);
    std::string const before = project.hash();
    pid_t const child = start(project);
    wait_for_outcome(project);
    int const status = end(child, signal);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 130);
    CHECK(project.hash() == before);
    CHECK(fs::is_empty(project.lab_home()));
    RunReport const report = project.run();
    CHECK(reused(report) >= 1);
    CHECK(report.exit_code() == 0);
  }
}

TEST_CASE("what only looks at the tree is interrupted as a run is", "[run]") {
  for (const char* word : {"--check", "--dry-run"}) {
    Project project;
    add_slow_mutants(project);
    std::string build = test::read(project.root() / "build.sh");
    build.insert(build.find("mkdir"), "if [ \"$1\" = configure ]; then sleep 30; fi\n");
    project.write("build.sh", build);
    fs::permissions(project.root() / "build.sh", fs::perms::owner_all);
    pid_t const child = start(project, word);
    while (!fs::exists(project.lab_home()) || fs::is_empty(project.lab_home())) {
    }
    int const status = end(child, SIGINT);
    CAPTURE(word);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 130);
    CHECK(fs::is_empty(project.lab_home()));
  }
}

// Moments of a seeded sequence: while the tree is copied or parsed, while a mutant is built or judged, while a record is written.
TEST_CASE("a run that is killed again and again goes on where it was, and ends with the outcomes of one that was not", "[run]") {
  Project project, undisturbed;
  for (Project* each : {&project, &undisturbed}) {
    add_slow_mutants(*each);
    each->add_edit("g/e", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  }
  std::string const before = project.hash();
  std::uint32_t moment = 1;
  for (int kills = 0; kills < 8; ++kills) {
    pid_t const child = start(project);
    moment = moment * 1664525u + 1013904223u;
    std::this_thread::sleep_for(std::chrono::milliseconds(moment >> 21));
    end(child, SIGKILL);
    CHECK(project.hash() == before);
  }
  auto const outcomes_of = [](const RunReport& report) {
    std::map<std::string, Outcome> outcomes;
    for (const Record& record : report.records) outcomes[record.id] = record.outcome;
    return outcomes;
  };
  CHECK(outcomes_of(project.run()) == outcomes_of(undisturbed.run()));
  CHECK(project.hash() == before);
  CHECK(fs::is_empty(project.lab_home()));
}

TEST_CASE("one worker and three give the same outcomes", "[run]") {
  Project project;
  project.add_edit("g/a", "store", Project::swap);
  project.add_edit("g/b", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  project.add_edit("g/c", "store", R"("replace_name":{"name":"pair","with":"no_such_function"})");
  RunOptions options = project.options();
  options.resume = false;
  RunReport const one = run(options);
  options.jobs = 3;
  RunReport const three = run(options);
  REQUIRE(one.records.size() == 3);
  REQUIRE(three.records.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(one.records[i].id == three.records[i].id);
    CHECK(one.records[i].outcome == three.records[i].outcome);
  }
}

TEST_CASE("a build that is not reproducible makes the whole run no evidence", "[run]") {
  Project project;
  std::string build = test::read(project.root() / "build.sh");
  build.replace(build.find("mv out/prog.new"), 15, "date +%N >>out/prog.new; mv out/prog.new");
  project.write("build.sh", build);
  fs::permissions(project.root() / "build.sh", fs::perms::owner_all);
  project.add_edit("g/a", "store", Project::swap);
  CHECK(project.run().exit_code() == 8);
}

TEST_CASE("a run whose end cannot be written exits 1 and still reports its outcomes", "[run]") {
  Project project;
  project.add_edit("g/a", "store", Project::swap);
  project.write("build.sh",
                test::read(project.root() / "build.sh") + "mkdir -p " + (project.options().out / "end.json/in_the_way").string() + "\n");
  fs::permissions(project.root() / "build.sh", fs::perms::owner_all);
  auto const result = project.mutate({});
  INFO(result.output);
  CHECK(result.exit_code == 1);
  std::string const line = (project.options().out / "end.json").string() + ": cannot be written: Is a directory\n";
  for (const std::string& text : {"mutate: " + line, "note: " + line, std::string("1 killed + 0")})
    CHECK(result.output.find(text) != std::string::npos);
}

TEST_CASE("what the user has built in the tree is an output of the lab's builds as well, and nothing that a mutant left", "[run]") {
  Project project;
  project.add_edit("g/swap", "store", Project::swap);
  project.add_edit("g/broken", "store", R"("replace_name":{"name":"pair","with":"no_such_function"})",
                   R"("reds":{"build":"no_such_function"})");
  std::string const build = "cd '" + project.root().string() + "' && ./build.sh configure && ./build.sh";
  REQUIRE(std::system(build.c_str()) == 0);
  for (const char* const planting : {one_a_build, schemata}) {
    INFO(planting);
    RunOptions options = project.options();
    options.planting = planting;
    options.resume = false;
    RunReport const report = run(options);
    CHECK(report.exit_code() == 0);
    REQUIRE(report.records.size() == 2);
    for (const Record& record : report.records) CHECK(record.as_declared);
  }
}
