#include "mutants/driver/lab/worker.h"

#include <cstdlib>

#include "gates/runner/interrupt.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/plant/sha256.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
namespace fs = std::filesystem;

namespace {

LabConfig lab_of(const std::string& script) {
  LabConfig config;
  config.build = {"sh", "-c", script, "build", "{targets}"};
  config.bin = "out";
  config.programs = {"out/p"};
  return config;
}

}  // namespace

TEST_CASE("a build makes its targets and all that may hold another mutant", "[lab]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "root/source", "pristine");
  LabConfig const config = lab_of("echo \"$@\" >>targets; test ! -e fail");
  Worker worker(config, folder.path() / "w", {});
  worker.copy(folder.path() / "root", {"source"});
  MutatedFile const mutant{"source", "pristine", "mutated", sha256("pristine"), sha256("mutated")};
  auto const build = [&](const std::string& target) { return worker.build({target}).ok(); };
  auto const build_planted = [&](const std::string& target) {
    worker.planted().plant({mutant});
    bool const built = build(target);
    worker.planted().restore();
    return built;
  };
  CHECK(build("a"));
  CHECK(build_planted("b"));
  CHECK(build_planted("c"));
  test::write(worker.tree() / "fail", "");
  CHECK_FALSE(build("d"));
  CHECK_FALSE(build_planted("e"));
  fs::remove(worker.tree() / "fail");
  CHECK(build("f"));
  CHECK(build("g"));
  CHECK(test::read(worker.tree() / "targets") == "a\nb\nb c\nb c d\nb c d e\nb c d e f\ng\n");
}

TEST_CASE("a build that the user's limit on files ends is refused, whoever was ended by it", "[lab]") {
  for (const char* script : {"kill -XFSZ $$", "sh -c 'kill -XFSZ $$'; exit 1", "echo 'fatal error: File size limit exceeded'; exit 1"}) {
    test::TemporaryFolder const folder;
    LabConfig const config = lab_of(script);
    Worker worker(config, folder.path() / "w", {});
    worker.copy(folder.path(), {});
    CHECK_THROWS_WITH(worker.build({}), "lab: sh: the limit on the size of files (ulimit -f) is too low");
  }
}

TEST_CASE("a program that is not there hashes as absent", "[lab]") {
  test::TemporaryFolder const folder;
  LabConfig const config = lab_of("mkdir -p out && echo x >out/p");
  Worker worker(config, folder.path() / "w", {});
  worker.copy(folder.path(), {});
  CHECK(worker.program_hashes().at("out/p") == "absent");
  CHECK(worker.build({}).ok());
  CHECK(worker.program_hashes().at("out/p").size() == 64);
}

TEST_CASE("a build that cannot start is refused, one that hangs is stopped", "[lab]") {
  test::TemporaryFolder const folder;
  LabConfig config = lab_of("sleep 60");
  Worker worker(config, folder.path() / "w", {});
  worker.copy(folder.path(), {});
  worker.limit_builds(0.2);
  CHECK(worker.build({}).timed_out);
  config.build = {"./no-such-program"};
  CHECK_THROWS_AS(worker.build({}), redproof::gates::Refusal);
}

TEST_CASE("what the configuration links is there for the gates to read", "[lab]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "root/models/m/weights", "w");
  LabConfig config = lab_of("true");
  config.links = {"models", "absent"};
  Worker worker(config, folder.path() / "w", {});
  worker.copy(folder.path() / "root", {});
  CHECK(test::read(worker.tree() / "models/m/weights") == "w");
  CHECK_FALSE(fs::exists(worker.tree() / "absent"));
}

TEST_CASE("the line that says what went wrong is found", "[lab]") {
  CHECK(error_line("a\nb.cpp:3: error: no\nmake: *** [x] Error 1\n") == "b.cpp:3: error: no");
  CHECK(error_line("a\nlast\n\n") == "last");
  CHECK(error_line("").empty());
}

TEST_CASE("the first error of a configure is told with the line that explains it", "[lab]") {
  CHECK(configure_error("-- a\nCMake Error at CMakeLists.txt:3 (project):\n\n  No compiler was found.\n\nCMake Error: last\n") ==
        "CMake Error at CMakeLists.txt:3 (project): No compiler was found.");
  CHECK(configure_error("CMake Error: The source is wrong\nSee also errors.log\n") == "CMake Error: The source is wrong");
  CHECK(configure_error("CMake Error at x (y):\n") == "CMake Error at x (y):");
  CHECK(configure_error("sh: error: no\nlast\n") == "sh: error: no");
}

TEST_CASE("a build on a full disk is refused, whatever it was to show", "[lab]") {
  test::TemporaryFolder const folder;
  LabConfig const config = lab_of("echo 'x.o: No space left on device'; exit 1");
  Worker worker(config, folder.path() / "w", {});
  worker.copy(folder.path(), {});
  CHECK_THROWS_WITH(worker.build({}), ContainsSubstring("set REDPROOF_LAB"));
}

TEST_CASE("without a home ccache gets a folder in the lab", "[lab]") {
  test::TemporaryFolder const folder;
  LabConfig const config = lab_of("echo \"$CCACHE_DIR $CMAKE_BUILD_PARALLEL_LEVEL\" >ccache_dir");
  Worker worker(config, folder.path() / "w", {});
  worker.copy(folder.path(), {});
  std::string const home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  std::string const cache = std::getenv("CCACHE_DIR") == nullptr ? "" : std::getenv("CCACHE_DIR");
  unsetenv("CCACHE_DIR");
  for (const char* absent : {"", "/no/such/home"}) {
    *absent == 0 ? unsetenv("HOME") : setenv("HOME", absent, 1);
    worker.use_build_jobs(7);
    CHECK(worker.build({}).ok());
    CHECK(test::read(worker.tree() / "ccache_dir") == (folder.path() / "ccache").string() + " 7\n");
  }
  setenv("HOME", folder.path().c_str(), 1);
  CHECK(worker.build({}).ok());
  CHECK(test::read(worker.tree() / "ccache_dir") == " 7\n");
  home.empty() ? unsetenv("HOME") : setenv("HOME", home.c_str(), 1);
  if (!cache.empty()) setenv("CCACHE_DIR", cache.c_str(), 1);
}

TEST_CASE("an interrupt ends a copy", "[lab]") {
  test::TemporaryFolder const folder;
  test::write(folder.path() / "root/file", "x");
  LabConfig const config = lab_of("true");
  Worker worker(config, folder.path() / "w", {});
  redproof::gates::interrupt();
  CHECK_THROWS_AS(worker.copy(folder.path() / "root", {"file"}), Interrupted);
  redproof::gates::forget_interrupt();
  CHECK_FALSE(fs::exists(worker.tree() / "file"));
}
