#include "mutants/driver/run/shared_verdicts.h"

#include "mutants/driver/cache/sqlite.h"
#include "mutants/driver/run/run.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using redproof::mutants::test::Project;

namespace {

RunOptions with_cache(const Project& project) {
  RunOptions options = project.options();
  options.resume = false;
  options.cache = project.root().parent_path() / "c.db";
  return options;
}

std::int64_t kept(const RunOptions& options) { return Database(options.cache).number("SELECT count(*) FROM verdicts"); }

}  // namespace

TEST_CASE("an outcome from the cache is told as one of this tree, and a later run resumes from it", "[cache]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  RunOptions options = with_cache(project);
  Record const shown = run(options).records.at(0);
  CHECK_FALSE(shown.cached);
  CHECK(kept(options) == 1);
  Record const again = run(options).records.at(0);
  CHECK(again.cached);
  CHECK_FALSE(again.reused);
  CHECK(again.key == shown.key);
  CHECK(again.outcome == shown.outcome);
  CHECK(again.files.at(0).mutated == shown.files.at(0).mutated);
  options.resume = true;
  Record const resumed = run(options).records.at(0);
  CHECK(resumed.reused);
  CHECK(kept(options) == 1);
}

TEST_CASE("a run that something ended keeps none of its outcomes", "[cache]") {
  Project project;
  std::string script = test::read(project.root() / "build.sh");
  project.write("build.sh",
                script.insert(script.find("g++ -std=c++20 -O1"), "if grep -q 'k <= 0' src/store.cpp; then echo x >notes; fi\n"));
  project.write("notes", "");
  project.add_edit("g/first", "store", Project::swap);
  project.add_edit("g/second", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  RunOptions const options = with_cache(project);
  RunReport const report = run(options);
  CHECK(report.exit_code() == 9);
  REQUIRE(report.records.size() == 1);
  CHECK(report.records.at(0).outcome == Outcome::killed);
  CHECK(kept(options) == 0);
}

TEST_CASE("outcomes that are resumed are not kept: nobody has settled them", "[cache]") {
  Project project;
  project.add_edit("g/m", "store", Project::swap);
  CHECK(project.run().records.at(0).outcome == Outcome::killed);
  project.add_edit("g/survivor", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  RunOptions options = with_cache(project);
  options.resume = true;
  CHECK(run(options).records.at(0).reused);
  CHECK(kept(options) == 1);
}
