// The program `mutate` where libclang is not installed: what parses nothing runs, what has to parse says what is missing.
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using redproof::gates::ProcessResult;
using redproof::mutants::test::Project;
namespace test = redproof::mutants::test;

namespace {

constexpr const char* nowhere = "/nowhere/libclang-19.so";

void add_swap(Project& project) { project.add_edit("g/swap", "store", Project::swap); }

ProcessResult mutate_with(const std::string& library, const Project& project, const std::vector<std::string>& words) {
  redproof::gates::ProcessSpec spec;
  spec.argv = {test::program_folder() / "mutate"};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.cwd = project.root().parent_path();
  spec.set_env = {{"REDPROOF_LIBCLANG", library}};
  return redproof::gates::run_process(spec);
}

}  // namespace

TEST_CASE("the program itself starts without libclang", "[find]") {
  redproof::gates::ProcessSpec spec;
  spec.argv = {"readelf", "--dynamic", test::program_folder() / "mutate"};
  auto const result = redproof::gates::run_process(spec);
  INFO(result.output);
  REQUIRE(result.exit_code == 0);
  CHECK(result.output.find("NEEDED") != std::string::npos);
  CHECK(result.output.find("clang") == std::string::npos);
}

TEST_CASE("what parses nothing runs where libclang is not there", "[find]") {
  Project project;
  add_swap(project);
  project.add_mutant("h/text", R"("edit":{"file":"src/store.cpp","text":{"find":"10 * k","replace":"11 * k"}},)" + Project::reds);
  REQUIRE(mutate_with("", project, {"--catalog", "project/mutants", "--prepare", "there"}).exit_code == 0);
  auto const runs = [&](const std::vector<std::string>& words) {
    ProcessResult const result = mutate_with(nowhere, project, words);
    INFO(result.output);
    CHECK(result.exit_code == 0);
  };
  runs({"--prepared", "there", "--out", "out"});
  runs({"merge", "out", "--root", "project", "--out", "merged"});
  runs({"--catalog", "project/mutants", "--list"});
  runs({"--catalog", "project/mutants", "--check", "h/text"});
  runs({"explain", "h/text", "--catalog", "project/mutants", "--out", "out"});
  runs({"schema", "plan"});
  runs({"--help"});
}

TEST_CASE("what has to parse says in one line that libclang is missing, and what to install", "[find]") {
  Project project;
  add_swap(project);
  REQUIRE(mutate_with("", project, {"--catalog", "project/mutants", "--check"}).exit_code == 0);
  for (const std::string& library : {std::string(nowhere), std::string("libc.so.6")})
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--catalog", "project/mutants", "--check"},
                                                  {"--catalog", "project/mutants", "--generate", "src", "--dry-run"},
                                                  {"--catalog", "project/mutants", "--out", "out"}}) {
      ProcessResult const result = mutate_with(library, project, words);
      INFO(result.output);
      CHECK(result.exit_code == 1);
      CHECK(result.output.find("sources cannot be parsed: install libclang1-19") != std::string::npos);
      CHECK(result.output.find(library) != std::string::npos);
    }
}
