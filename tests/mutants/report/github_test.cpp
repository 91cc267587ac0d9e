#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/report/sample.h"

using namespace redproof::mutants;

TEST_CASE("GitHub annotations stand at the changed line and cannot be broken out of", "[report]") {
  std::string const text = github_report(test::sample_report());
  CHECK_THAT(text, ContainsSubstring("::error file=a%2C b.cpp,line=2,title=g/survivor survived::gate <a> & \"b\" stayed%0Agreen 100%25\n"));
  CHECK_THAT(text, ContainsSubstring("::notice::one note\n"));
  CHECK(text.find("g/killed") == std::string::npos);
  CHECK_THAT(text, ContainsSubstring("mutants: 2 of 5 not as declared (exit 2); killed 1 of 2 judged, 1 not run\n"));
}

TEST_CASE("a GitHub annotation stays one line whichever line break its text holds", "[report]") {
  RunReport report = test::sample_report();
  report.records[1].reason = "a\r\nb\rc";
  report.notes = {"d\re"};
  std::string const text = github_report(report);
  CHECK_THAT(text, ContainsSubstring("::a%0D%0Ab%0Dc\n"));
  CHECK_THAT(text, ContainsSubstring("::notice::d%0De\n"));
}
