// The program `mutate` and the file of its cache: which files it refuses, and what becomes of it beside others, without room and in a kill.
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "mutants/driver/cache/sqlite.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/shell.h"
#include "tests/skip.h"

using redproof::gates::ProcessResult;
using redproof::mutants::Database;
using redproof::mutants::Transaction;
using redproof::mutants::test::Project;
using redproof::mutants::test::read;
namespace fs = std::filesystem;
namespace test = redproof::mutants::test;

using redproof::mutants::test::says;

namespace {

// In the folder above the project; `judge WORDS` is mutate, with no outcome of an earlier run.
ProcessResult judged_by_shell(const Project& project, const std::string& script) {
  redproof::gates::ProcessSpec spec;
  spec.argv = {"sh", "-c", "judge() { \"$MUTATE\" --catalog \"${PROJECT:-project}/mutants\" --no-resume \"$@\"; }; " + script};
  spec.cwd = project.root().parent_path();
  spec.set_env = {{"MUTATE", (test::program_folder() / "mutate").string()}};
  return redproof::gates::run_process(spec);
}

fs::path at(const Project& project, const std::string& name) { return project.root().parent_path() / name; }

void refused_cache(const ProcessResult& result, const std::string& text) {
  INFO(result.output);
  CHECK(result.exit_code == 1);
  CHECK(result.output.starts_with("mutate: --cache: "));
  CHECK(result.output.find(text) != std::string::npos);
  CHECK(std::count(result.output.begin(), result.output.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("a file that is no cache is refused on one line before anything is copied, and left as it is", "[cache]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  test::write(at(project, "text"), "This is no database.\n" + std::string(8000, 'x'));
  Database(at(project, "other.db")).run("CREATE TABLE verdicts (a)");
  REQUIRE(judged_by_shell(project, "judge --cache newer.db && cp newer.db damaged.db").exit_code == 0);
  Database(at(project, "newer.db")).run("PRAGMA user_version = 7");
  std::string bytes = read(at(project, "damaged.db"));
  bytes.replace(4096, 2000, std::string(2000, 'x'));
  test::write(at(project, "damaged.db"), bytes);
  test::write(at(project, "short.db"), read(at(project, "newer.db")).substr(0, 6000));
  for (auto const& [file, why] : std::initializer_list<std::pair<std::string, std::string>>{
           {"text", "file is not a database; remove it, or name another file"},
           {"other.db", "is a database of another program; name another file"},
           {"newer.db", "is of schema version 7, and this mutate knows version 1; name another file"},
           {"damaged.db", "; remove it, or name another file"},
           {"short.db", "; remove it, or name another file"}}) {
    INFO(file);
    std::string const before = read(at(project, file));
    refused_cache(judged_by_shell(project, "judge --cache " + file), why);
    CHECK((read(at(project, file)) == before));
  }
}

TEST_CASE("a place where no cache can be is refused on one line before anything is copied", "[cache]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  for (auto const& [file, why] : std::initializer_list<std::pair<std::string, std::string>>{
           {"none/c.db", "its folder is not there; make it"},
           {"labs", "is no file"},
           {"/dev/null", "is no file"},
           {"mutate.out/c.db", "the output folder is made anew by each run"},
           {"mutate.out.old/c.db", "the output folder is made anew by each run"},
           {"project/notes", "is a file of the project; name one that git ignores, or one elsewhere"},
           {"project/new.db", "is a file of the project; name one that git ignores, or one elsewhere"}}) {
    INFO(file);
    project.write("notes", "");
    refused_cache(judged_by_shell(project, "judge --cache " + file), why);
  }
  CHECK(read(project.root() / "notes").empty());
  CHECK_FALSE(fs::exists(project.root() / "new.db"));
}

TEST_CASE("a cache that is read-only, or has no room, is refused before anything is copied", "[cache]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  auto const mounted = [&](const std::string& options, const std::string& script) {
    return judged_by_shell(project,
                           "mkdir -p small; exec unshare -m sh -c 'judge() { \"$MUTATE\" --catalog project/mutants --no-resume --cache "
                           "small/c.db; }; mount -t tmpfs -o " +
                               options + " none small 2>/dev/null || exit 99; " + script + "'");
  };
  auto const full = mounted("size=512k", "judge");
  if (full.exit_code == 99) return skip_case("no file system can be mounted here");
  refused_cache(full, "no space left on the device; make room, or name a file elsewhere");
  refused_cache(mounted("size=4m", "judge >/dev/null 2>&1; mount -o remount,ro small; judge"), "is read-only; make it writable");
  refused_cache(judged_by_shell(project, "ulimit -f 4; judge --cache c.db"), "name a file in a folder that can be written and has room");
}

TEST_CASE("a disk that fills while mutants run is told once, and the run goes on without the cache", "[cache]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  std::string const script = read(project.root() / "build.sh");
  project.write("build.sh",
                std::string(script).insert(script.find("g++ -std=c++20 -O1"), "cat /dev/zero 2>/dev/null >\"$FILL\" || true\n"));
  auto const result = judged_by_shell(
      project,
      "mkdir small; exec unshare -m sh -c 'mount -t tmpfs -o size=4m none small 2>/dev/null || exit 99; FILL=$PWD/small/fill "
      "\"$MUTATE\" --catalog project/mutants --cache small/c.db 2>err; code=$?; cat err; exit $code'");
  if (result.exit_code == 99) return skip_case("no file system can be mounted here");
  INFO(result.output);
  CHECK(result.exit_code == 0);
  std::string const told =
      "the outcomes of this run are not in the cache " + at(project, "small/c.db").string() + ": database or disk is full";
  CHECK(says(result, "note: " + told));
  CHECK(says(result, "mutate: " + told));
}

TEST_CASE("an outcome that was changed in the cache is refused, and no mutant runs", "[cache]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  REQUIRE(judged_by_shell(project, "judge --cache c.db").exit_code == 0);
  Database(at(project, "c.db")).run("UPDATE verdicts SET record = replace(record, '\"killed\"', '\"survived\"')");
  auto const result = judged_by_shell(project, "judge --cache c.db");
  CHECK(result.exit_code == 1);
  CHECK(says(result, "is damaged: an outcome is not what was stored; remove it, or name another file"));
  CHECK(says(result, "not run             1"));
}

TEST_CASE("runs side by side share a cache, and each finds what the other has left", "[cache]") {
  Project project;
  project.add_edit("g/swap", "store", Project::swap);
  project.add_edit("g/survivor", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  fs::copy(project.root(), at(project, "clone"), fs::copy_options::recursive);
  auto const both =
      judged_by_shell(project,
                      "judge --cache c.db g/swap >/dev/null 2>&1 & one=$!; PROJECT=clone judge --out other --cache c.db g/survivor "
                      ">/dev/null 2>&1; echo $?; wait $one; echo $?");
  CHECK(both.output == "2\n0\n");
  auto const again = judged_by_shell(project, "judge --cache c.db");
  CHECK(again.exit_code == 2);
  CHECK(says(again, "2 of 2 outcomes from the cache"));
}

TEST_CASE("a run that is killed leaves the cache as it was, and the next one uses it", "[cache]") {
  Project project;
  project.add_edit("g/first", "store", Project::swap);
  project.add_edit("g/second", "store", R"("replace_expression":{"expression":"-1","with":"-2"})",
                   R"("reds":[{"gate":"both","law":"signs"}])");
  project.add_edit("g/third", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  std::string const script = read(project.root() / "build.sh");
  project.write("build.sh",
                std::string(script).insert(script.find("g++ -std=c++20 -O1"),
                                           "while [ -n \"$HELD\" ] && grep -q 'k <= 0' src/store.cpp; do echo >\"$HELD\"; done\n"));
  auto const kept = [&] { return Database(at(project, "c.db")).number("SELECT count(*) FROM verdicts"); };
  REQUIRE(judged_by_shell(project, "judge --cache c.db g/first").exit_code == 0);
  CHECK(kept() == 1);
  auto const killed =
      judged_by_shell(project,
                      "HELD=$PWD/held \"$MUTATE\" --catalog project/mutants --no-resume --jobs 1 --out killed --cache c.db "
                      ">/dev/null 2>&1 & while ! [ -e held ] && kill -0 $!; do sleep 0.01; done; kill -9 $!; wait $! 2>/dev/null; "
                      "echo $?; grep -c '\"g/second\"' killed/outcomes.jsonl");
  CHECK(killed.output.ends_with("137\n1\n"));
  CHECK(kept() == 1);
  auto const after = judged_by_shell(project, "judge --cache c.db");
  CHECK(after.exit_code == 2);
  CHECK(says(after, "killed          g/first"));
  CHECK(says(after, "survived        g/third"));
  CHECK(says(after, "note: 1 of 3 outcomes from the cache"));
  CHECK(says(judged_by_shell(project, "judge --cache c.db"), "note: 3 of 3 outcomes from the cache"));
}

TEST_CASE("a cache that another run is writing to is read nevertheless", "[cache]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  REQUIRE(judged_by_shell(project, "judge --cache c.db").exit_code == 0);
  Database other(at(project, "c.db"));
  Transaction const writing(other);
  auto const result = judged_by_shell(project, "judge --cache c.db");
  CHECK(result.exit_code == 0);
  CHECK(says(result, "note: 1 of 1 outcomes from the cache"));
}

TEST_CASE("what SQLite leaves beside a cache in the tree is no file of the tree", "[cache]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  project.write(".gitignore", "/verdicts.db\n");
  REQUIRE(judged_by_shell(project, "git -C project init -q && judge --cache project/verdicts.db").exit_code == 0);
  for (const char* const ending : {"-journal", "-wal", "-shm"}) {
    INFO(ending);
    project.write(std::string("verdicts.db") + ending, std::string(600, '\0'));
    auto const result = judged_by_shell(project, "judge --cache project/verdicts.db");
    CHECK(result.exit_code == 0);
    CHECK(says(result, "note: 1 of 1 outcomes from the cache"));
    fs::remove(project.root() / (std::string("verdicts.db") + ending));
  }
}

TEST_CASE("the tests use no cache that their user's environment names", "[cache]") {
  test::TemporaryFolder const folder;
  setenv("REDPROOF_VERDICTS", (folder.path() / "c.db").c_str(), 1);
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  CHECK(project.mutate({}).exit_code == 0);
  CHECK(judged_by_shell(project, "judge").exit_code == 0);
  CHECK_FALSE(fs::exists(folder.path() / "c.db"));
  unsetenv("REDPROOF_VERDICTS");
}
