#include "mutants/driver/report/schemas.h"

#include <sstream>

#include "gates/runner/refusal.h"
#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/fixture.h"
#include "tests/mutants/report/sample.h"
#include "tests/mutants/report/schema_check.h"

using namespace redproof::mutants;
using test::violations;

namespace {

using Found = std::vector<std::string>;

}  // namespace

TEST_CASE("what a run writes holds to the schemas that mutate prints", "[report]") {
  test::Project project;
  project.add_edit("g/killed", "store", test::Project::swap);
  project.add_edit("g/survived", "store", R"("replace_operator":{"expression":"k < 0","with":"<="})");
  project.add_edit("g/stale", "store", R"("replace_literal":{"literal":"99","with":"8"})");
  RunReport const report = project.run();
  auto const out = project.options().out;
  CHECK(violations(json_report(report), schema_of("report")) == Found{});
  CHECK(violations(test::read(out / "plan.json"), schema_of("plan")) == Found{});
  CHECK(violations(test::read(out / "selection.json"), schema_of("selection")) == Found{});
  CHECK(violations(test::read(out / "end.json"), schema_of("end")) == Found{});
  CHECK(violations(test::read(out / "environment.json"), schema_of("environment")) == Found{});
  std::istringstream lines(test::read(out / "outcomes.jsonl"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) CHECK(violations(line, schema_of("outcomes")) == Found{});
  CHECK(count == 3);
  CHECK(schema_names().size() == 7);
}

TEST_CASE("a document that lacks a field, has another or holds another type is told from one that fits", "[report]") {
  std::string const good = R"({"schema":"redproof.end.1","exit_codes":[8],"notes":[],"seconds":1.5})";
  std::string const schema = schema_of("end");
  CHECK(violations(good, schema).empty());
  CHECK(violations(R"({"schema":"redproof.end.1","exit_codes":[8],"notes":[]})", schema) == Found{"document: seconds is missing"});
  CHECK(violations(R"({"schema":"redproof.end.2","exit_codes":[8],"notes":[],"seconds":1})", schema) ==
        Found{"document.schema: is none of the words"});
  CHECK(violations(R"({"schema":"redproof.end.1","exit_codes":[8.5],"notes":[1],"seconds":1})", schema).size() == 2);
  CHECK(violations(R"({"schema":"redproof.end.1","exit_codes":[],"notes":[],"seconds":1,"x":1})", schema) ==
        Found{"document: x is not in the schema"});
  CHECK(violations("{}", R"({"maxItems":3})") == Found{"document: the schema's maxItems is not known"});
}

TEST_CASE("a schema that is not there is refused with those that are", "[report]") {
  CHECK_THROWS_WITH(schema_of("plans"), ContainsSubstring("there are plan, outcomes, report, selection, end"));
}
