#include "mutants/driver/lab/open_files.h"

#include <algorithm>

#include "gates/runner/refusal.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;

namespace {

redproof::gates::ProcessResult mutate_with(const test::Project& project, const std::string& files) {
  redproof::gates::ProcessSpec spec;
  spec.argv = {"sh", "-c", "ulimit -n " + files + "; exec \"$0\" --catalog mutants --out ../out --jobs 2",
               (test::program_folder() / "mutate").string()};
  spec.cwd = project.root();
  return redproof::gates::run_process(spec);
}

}  // namespace

TEST_CASE("a limit on open files that is too low is refused before anything is made", "[lab]") {
  test::Project project;
  project.add_edit("g/swap", "store", test::Project::swap);
  for (const char* files : {"8", "16", "63"}) {
    auto const result = mutate_with(project, files);
    INFO(result.output);
    CHECK(result.exit_code == 1);
    CHECK(result.output ==
          "mutate: " + std::string(files) + " open files are too few for 2 workers (ulimit -n): 64 are needed, or fewer --jobs\n");
    CHECK(std::filesystem::is_empty(project.lab_home()));
    CHECK_FALSE(std::filesystem::exists(project.root().parent_path() / "out"));
  }
  CHECK(mutate_with(project, "64").exit_code == 0);
}

TEST_CASE("more workers need more open files", "[lab]") {
  CHECK_NOTHROW(require_open_files(1));
  CHECK_THROWS_AS(require_open_files(1u << 27), redproof::gates::Refusal);
}
