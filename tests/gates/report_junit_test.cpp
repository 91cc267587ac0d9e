#include "gates/runner/report.h"
#include "tests/catch.h"
#include "tests/gates/sample_report.h"

using namespace redproof::gates;
using namespace redproof::tests;

TEST_CASE("the junit report of a run with every verdict is as it was stored", "[report_junit]") {
  auto const text = junit_report(sample_report());
  CHECK(text == baseline("report.xml", text));
}
