#include "mutants/driver/run/generated.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
using test::Project;

TEST_CASE("generated mutants run all in one build, any gate kills them, and survivors are no failure", "[run]") {
  Project project;
  std::string lab = test::read(project.root() / "mutants/lab.json");
  project.write("mutants/lab.json", lab.insert(1, R"("targets":["prog"],)"));
  RunOptions options = project.options();
  options.generate = {"src/store.cpp"};
  options.operators = {"arithmetic", "relational"};
  options.planting = schemata;
  RunReport const report = run(options);
  CHECK(report.exit_code() == 0);
  REQUIRE(report.records.size() == report.plan.mutants.size());
  auto const count = [&](Outcome outcome) {
    return std::count_if(report.records.begin(), report.records.end(), [&](const Record& record) { return record.outcome == outcome; });
  };
  CHECK(count(Outcome::killed) >= 4);
  CHECK(count(Outcome::survived) >= 1);  // k < 0 and k <= 0: no gate stores k = 0
  for (const Record& record : report.records) {
    INFO(record.id);
    CHECK(record.as_declared);
    CHECK((record.planting == "schemata" || !record.planting_reason.empty()));
    if (record.outcome == Outcome::killed) CHECK(record.gates.back().verdict == "red");
  }
  options.filters = {report.records.front().id};
  options.resume = false;
  CHECK(run(options).records.size() == 1);
}

TEST_CASE("what cannot be generated is refused or no evidence, never an empty success", "[run]") {
  Project project;
  CHECK(project.mutate({"--generate", "src/nowhere.cpp"}).exit_code == 1);
  CHECK(project.mutate({"--generate", "src/store.cpp", "--operators", "nonsense"}).exit_code == 1);
  project.write("src/store.cpp", "namespace demo { int store(int k, int v) { return undeclared; } }\n");
  CHECK(project.mutate({"--generate", "src/store.cpp"}).exit_code == 8);
  CHECK(project.mutate({"--generate", "src/store.cpp", "--list"}).exit_code == 8);
  CHECK(project.mutate({"--operators", "list"}).exit_code == 0);
}

TEST_CASE("generated mutants are listed, checked and narrowed as written ones are", "[run]") {
  Project project;
  auto const list = project.mutate({"--generate", "src/store.cpp", "--operators", "relational", "--list"});
  CHECK(list.exit_code == 0);
  CHECK(list.output.find("relational/") != std::string::npos);
  CHECK(project.mutate({"--generate", "src/store.cpp", "--check"}).exit_code == 0);
  RunOptions options = project.options();
  options.generate = {"src/store.cpp"};
  std::size_t const all = check(options).plan.mutants.size();
  options.selection.functions = {"guard"};
  std::size_t const some = check(options).plan.mutants.size();
  CHECK(some > 0);
  CHECK(some < all);
}

TEST_CASE("statements that are exchanged have one outcome, among all others in one build and in a build of their own", "[run]") {
  Project project;
  std::string lab = test::read(project.root() / "mutants/lab.json");
  project.write("mutants/lab.json", lab.insert(1, R"("targets":["prog"],)"));
  std::string const source = test::read(project.root() / "src/store.cpp");
  std::string const line = "  total += pair(k, v);\n";
  std::string many = source;
  many.replace(source.find(line), line.size(),
               "  int rest = 0;\n  total += v;\n  total *= 6;\n  rest = total - 12;\n"
               "  for (int i = 0; i < 1; ++i) {\n    total += rest;\n    rest *= k;\n  }\n");
  project.write("src/store.cpp", many);
  RunOptions options = project.options();
  options.generate = {"src/store.cpp"};
  options.operators = {"statement_moved"};
  options.planting = both;
  RunReport const report = run(options);
  INFO(fmt::format("{}", fmt::join(report.notes, "\n")));
  CHECK(report.exit_code() == 0);
  CHECK(report.compared.size() == 3);
  for (const Comparison& one : report.compared) CHECK(one.agree());
  std::set<Outcome> outcomes;
  for (const Record& record : report.records) {
    CHECK(record.planting == "schemata");
    outcomes.insert(record.outcome);
  }
  CHECK(outcomes == std::set<Outcome>{Outcome::killed, Outcome::survived});
}
