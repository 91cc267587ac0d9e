#include "mutants/driver/report/estimate.h"

#include "tests/catch.h"
#include "tests/mutants/report/sample.h"

using namespace redproof::mutants;

TEST_CASE("a run is estimated from what its mutants took before, and the middle of those for the others", "[report]") {
  Plan const plan = test::sample_report().plan;  // killed, survivor, stale, later twice
  CHECK(estimate(plan, {}, 2) == "5 to run; no earlier run tells how long that takes\n");
  CHECK(estimate(plan, {{"g/elsewhere", 60}}, 2) == "5 to run; no earlier run tells how long that takes\n");
  CHECK(estimate(plan, {{"g/killed", 60}, {"g/survivor", 120}, {"g/stale", 600}}, 2) ==
        "5 to run, 3 of them ran before: about 8.5 min with --jobs 2, beside the builds of the tree\n");
  Plan suppressed = plan;
  for (PlannedMutant& planned : suppressed.mutants) planned.mutant.suppressed = "a reason";
  CHECK(estimate(suppressed, {}, 1).starts_with("0 to run;"));
}
