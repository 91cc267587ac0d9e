#include "mutants/driver/select/git_diff.h"

#include <stdlib.h>

#include <map>

#include "gates/runner/process.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

void shell(const std::filesystem::path& folder, const std::string& script) {
  redproof::gates::ProcessSpec spec;
  spec.argv = {"sh", "-ec", script};
  spec.cwd = folder;
  spec.set_env = {{"GIT_AUTHOR_NAME", "a"},
                  {"GIT_AUTHOR_EMAIL", "a@b"},
                  {"GIT_COMMITTER_NAME", "a"},
                  {"GIT_COMMITTER_EMAIL", "a@b"},
                  {"GIT_CONFIG_GLOBAL", "/dev/null"}};
  auto const result = redproof::gates::run_process(spec);
  INFO(result.output);
  REQUIRE(result.exit_code == 0);
}

constexpr const char* two_branches =
    "git init -q -b main; mkdir sub; echo one >sub/f; echo x >'sub/a b'; echo top >top; git add .; git commit -qm 1; git branch other;"
    "echo two >>sub/f; git commit -qam 2; git checkout -q other; echo elsewhere >top; git commit -qam 3; git checkout -q main;"
    "echo three >>sub/f; git mv 'sub/a b' 'sub/\303\251'; echo new >sub/untracked";

}  // namespace

TEST_CASE("what changed since a branch counts from where it parted, in the working tree", "[select]") {
  test::TemporaryFolder const folder;
  shell(folder.path(), two_branches);
  Diff const diff = diff_since(folder.path(), "other");
  CHECK_NOTHROW(check_matches(diff, folder.path()));
  auto const paths = paths_of(diff);
  CHECK(paths == std::set<std::string>{"sub/f", "sub/a b", "sub/\xc3\xa9", "sub/untracked"});
  for (const FileDiff& file : diff)
    if (file.after == "sub/f") {
      CHECK(file.touched.at(0).last == 3);
    } else if (file.after == "sub/untracked") {
      REQUIRE(file.touched.size() == 1);
      CHECK(file.touched[0].first == 1);
      CHECK(file.touched[0].last == SIZE_MAX);
    }
  // The project may be a folder of the repository.
  CHECK(paths_of(diff_since(folder.path() / "sub", "HEAD")).contains("untracked"));
  CHECK_FALSE(paths_of(diff_since(folder.path() / "sub", "other")).contains("top"));
}

TEST_CASE("what the user set for git, in a file or in the environment, does not change what is read", "[select]") {
  test::TemporaryFolder const folder;
  shell(folder.path(),
        "git init -q -b main; git config diff.noprefix true; mkdir a b; seq 9 >a/f; echo x >g; git add .; git commit -qm 1;"
        "git mv a/f b/f; echo more >>b/f; echo y >>g");
  std::set<std::string> const truth{"a/f", "b/f", "g"};
  CHECK(paths_of(diff_since(folder.path(), "HEAD")) == truth);
  for (const auto& [name, value] : std::map<std::string, std::string>{{"GIT_DIR", "/nowhere"},
                                                                      {"GIT_COMMON_DIR", "/nowhere"},
                                                                      {"GIT_WORK_TREE", "/nowhere"},
                                                                      {"GIT_INDEX_FILE", folder.path() / "none"},
                                                                      {"GIT_OBJECT_DIRECTORY", "/nowhere"},
                                                                      {"GIT_EXTERNAL_DIFF", "false"},
                                                                      {"GIT_DIFF_OPTS", "--unified=0"}}) {
    CAPTURE(name);
    REQUIRE(getenv(name.c_str()) == nullptr);
    setenv(name.c_str(), value.c_str(), 1);
    Diff found;
    CHECK_NOTHROW(found = diff_since(folder.path(), "HEAD"));
    unsetenv(name.c_str());
    CHECK(paths_of(found) == truth);
    CHECK(found.size() == 2);  // one renamed, one changed, none new
  }
}

TEST_CASE("a commit that is not there is refused in one line", "[select]") {
  test::TemporaryFolder const folder;
  CHECK_THROWS_WITH(diff_since(folder.path(), "HEAD"), ContainsSubstring("--since: HEAD is no commit"));
  shell(folder.path(), "git init -q -b main; echo x >f; git add f; git commit -qm 1");
  CHECK_THROWS_WITH(diff_since(folder.path(), "nowhere"), ContainsSubstring("nowhere is no commit that git knows here"));
  CHECK_THROWS_WITH(diff_since(folder.path(), "--output=x"), ContainsSubstring("is no name of a commit"));
  CHECK_THROWS_WITH(diff_since(folder.path(), ""), ContainsSubstring("is no name of a commit"));
  shell(folder.path(), "git checkout -q --orphan alone; git commit -qm 2");
  CHECK_THROWS_WITH(diff_since(folder.path(), "main"), ContainsSubstring("no commit is common to main and HEAD"));
  CHECK(diff_since(folder.path(), "HEAD").empty());
}
