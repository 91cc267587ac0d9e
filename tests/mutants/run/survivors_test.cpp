#include "mutants/driver/run/survivors.h"

#include <algorithm>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/nvcc.h"
#include "tests/skip.h"

using namespace redproof::mutants;
using test::Project;

namespace {

constexpr const char* source = R"(#include "fours.h"
namespace demo {
int store(int k, int v) {
  if (k < 0) return -1;
  int total = 0;
  for (int i = 0; i < fours; i += 1) total += k;
  return total * 5 + 2 * v;
}
int count(int n) { return n; }
int guard(int code) { return code; }
long room(long bytes) { return bytes; }
}  // namespace demo
)";

// The project with the source above, compiled by `words` in its compile database.
void use(Project& project, const std::string& words) {
  project.write("src/store.cpp", source);
  project.write("src/fours.h", "constexpr int fours = 4;\n");
  std::string build = test::read(project.root() / "build.sh"), lab = test::read(project.root() / "mutants/lab.json");
  std::string const plain = R"("g++","-std=c++20","-c","src/store.cpp")";
  project.write("build.sh", build.replace(build.find(plain), plain.size(), words));
  project.write("mutants/lab.json", lab.insert(1, R"("targets":["prog"],)"));
}

RunReport generated(const Project& project) {
  RunOptions options = project.options();
  options.generate = {"src/store.cpp"};
  options.operators = {"relational"};
  options.planting = schemata;
  options.resume = false;
  return run(options);
}

std::vector<std::string> with_outcome(const RunReport& report, Outcome outcome) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < report.records.size(); ++i)
    if (report.records[i].outcome == outcome) ids.push_back(report.records[i].id);
  return ids;
}

const Record& with_text(const RunReport& report, const std::string& text) {
  for (const PlannedMutant& planned : report.plan.mutants)
    if (planned.finding.files.front().after.find(text) != std::string::npos)
      return *std::find_if(report.records.begin(), report.records.end(), [&](const Record& one) { return one.id == planned.mutant.id; });
  throw std::runtime_error("no mutant makes " + text);
}

}  // namespace

TEST_CASE("a generated survivor of which the compiler makes the same code is equivalent, and no other is", "[run]") {
  Project project;
  // A launcher, a dependency file and an object that must not appear; twice, as in two targets.
  std::string const one = R"("ccache","g++","-std=c++20","-O2","-g","-MD","-MF","out/store.d","-o","out/store.o","-c","src/store.cpp")";
  use(project, one + R"(]},{"directory":"'"$PWD"'","file":"src/store.cpp","arguments":["g++","-O3","-c","src/store.cpp")");
  RunReport const report = generated(project);
  const Record& same = with_text(report, "i != fours");
  CHECK(same.outcome == Outcome::equivalent);
  CHECK(same.as_declared);
  CHECK(same.planting == "schemata");
  CHECK(same.reason == "the compiler makes the same code of it");
  CHECK(same.code.size() == 64);
  const Record& survivor = with_text(report, "k <= 0");
  CHECK(survivor.outcome == Outcome::survived);
  CHECK(survivor.code.size() == 64);
  CHECK(survivor.code != same.code);
  auto const killed =
      std::find_if(report.records.begin(), report.records.end(), [](const Record& one) { return one.outcome == Outcome::killed; });
  REQUIRE(killed != report.records.end());
  CHECK(killed->code.empty());
  CHECK(report.exit_code() == 0);
  CHECK_FALSE(std::filesystem::exists(project.root() / "out/store.d"));
}

TEST_CASE("where one of several commands tells them apart, or none compiles, a survivor stays one", "[run]") {
  for (std::string const words : {R"("g++","-O2","-c","src/store.cpp"]},{"directory":"'"$PWD"'","file":"src/store.cpp",)"
                                  R"("arguments":["g++","-O0","-c","src/store.cpp")",
                                  R"("/nowhere/g++","-O2","-c","src/store.cpp")", R"("g++","-fno-such-flag","-c","src/store.cpp")"}) {
    INFO(words);
    Project project;
    use(project, words);
    RunReport const report = generated(project);
    CHECK(with_text(report, "i != fours").outcome == Outcome::survived);
    CHECK(with_outcome(report, Outcome::equivalent).empty());
  }
}

TEST_CASE("of a survivor in a source of CUDA the object tells the same", "[run]") {
  std::string const compiler = test::nvcc();
  if (compiler.empty()) return skip_case(test::no_nvcc);
  Project project;
  use(project, "\"" + compiler + R"(","-x","cu","-std=c++20","-O2","-g","-c","src/store.cpp","-o","out/store.o")");
  RunReport const report = generated(project);
  const Record& same = with_text(report, "i != fours");
  CHECK(same.outcome == Outcome::equivalent);
  CHECK(same.reason == "the compiler makes the same code of it");
  const Record& survivor = with_text(report, "k <= 0");
  CHECK(survivor.outcome == Outcome::survived);
  CHECK(survivor.code.size() == 64);
  CHECK_FALSE(std::filesystem::exists(project.root() / "out/store.o"));
}
