#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/report/sample.h"

using namespace redproof::mutants;

TEST_CASE("a JUnit report counts failures, errors and skipped apart, and escapes what others wrote", "[report]") {
  std::string const text = junit_report(test::sample_report());
  CHECK_THAT(text, ContainsSubstring("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""));
  CHECK_THAT(text, ContainsSubstring("<testcase classname=\"g\" name=\"killed\" time=\"1.500\"></testcase>"));
  CHECK_THAT(text, ContainsSubstring("<failure type=\"survived\" message=\"gate &lt;a&gt; &amp; &quot;b&quot; stayed"));
  CHECK_THAT(text, ContainsSubstring("<skipped message=\"needs a device\"/>"));
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("a JUnit report counts a mutant that was not run as skipped", "[report]") {
  RunReport report = test::sample_report();
  report.plan.mutants.back().mutant.id = "g/left";
  std::string const text = junit_report(report);
  CHECK_THAT(text, ContainsSubstring("tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"2\""));
  CHECK_THAT(text, ContainsSubstring("name=\"left\" time=\"0.000\"><skipped message=\"not run\"/>"));
}
