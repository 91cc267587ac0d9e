#include "gates/runner/json_document.h"
#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/report/sample.h"

using namespace redproof::mutants;

TEST_CASE("the JSON report's sums add up and its exit code is the run's", "[report]") {
  auto const document = redproof::gates::JsonDocument::parse(json_report(test::sample_report()), "report");
  auto const root = document.root();
  std::uint64_t sum = 0;
  for (const auto& [name, value] : root.at("sums").members())
    if (name != "all") sum += value.natural();
  CHECK(sum == root.at("sums").at("all").natural());
  CHECK(sum == 5);
  CHECK(root.at("exit_code").natural() == 2);
  CHECK(root.at("mutants").items().size() == 4);
  CHECK(root.at("mutants").items()[0].at("outcome").text() == "killed");
}
