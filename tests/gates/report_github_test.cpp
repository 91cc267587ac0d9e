#include "gates/runner/report.h"
#include "tests/catch.h"
#include "tests/gates/sample_report.h"

using namespace redproof::gates;
using namespace redproof::tests;

TEST_CASE("the github report of a run with every verdict is as it was stored", "[report_github]") {
  auto const text = github_report(sample_report());
  CHECK(text == baseline("report.github", text));
}

TEST_CASE("text of others cannot become a workflow command", "[report_github]") {
  auto const text = github_report(sample_report());
  std::size_t commands = 0;
  for (auto at = text.find("\n::"); at != std::string::npos; at = text.find("\n::", at + 1)) ++commands;
  CHECK(commands + 1 == 6);
  CHECK(text.find("injected\n") == std::string::npos);
}
