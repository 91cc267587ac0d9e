#include <cmath>
#include <nlohmann/json.hpp>

#include "gates/runner/report.h"
#include "tests/catch.h"
#include "tests/gates/sample_report.h"

using namespace redproof::gates;
using namespace redproof::tests;

TEST_CASE("the json report of a run with every verdict is as it was stored", "[report_json]") {
  auto const text = json_report(sample_report());
  CHECK(text == baseline("report.json", text));
}

TEST_CASE("the json report carries populations, worst elements, margins and slack", "[report_json]") {
  auto const json = nlohmann::json::parse(json_report(sample_report()));
  auto const& red = json["gates"][1];
  CHECK(red["laws"][1]["worst"]["observed"] == "0x39");
  CHECK(red["laws"][1]["population"]["ties"] == 4);
  CHECK(red["laws"][2]["worst"]["error"] == "nan");
  CHECK(red["margin"] == 8.0);
  CHECK(red["slack"] == 2.0);
  CHECK(json["gates"][5]["evidence"] == "exit code only");
  CHECK(json["gates"][5]["margin"].is_null());
  CHECK(json["gates"][2]["laws"][0]["verdict"] == "vacuous");
  CHECK(json["gates"][2]["laws"][0]["reported"] == "green");
}

TEST_CASE("numbers without a size are words of the json report, each with its sign", "[report_json]") {
  auto report = sample_report();
  auto& law = report.results[1].evidence.laws[2];
  for (auto const& [value, word] : {std::pair{HUGE_VAL, "inf"}, {-HUGE_VAL, "-inf"}, {std::nan(""), "nan"}}) {
    law.margin = law.slack = law.worst->error = law.worst->bound = value;
    auto const told = nlohmann::json::parse(json_report(report))["gates"][1]["laws"][2];
    CHECK(told["margin"] == word);
    CHECK(told["slack"] == word);
    CHECK(told["worst"]["error"] == word);
    CHECK(told["worst"]["bound"] == word);
  }
}

TEST_CASE("the tally of the json report adds up, and its exit code is the program's", "[report_json]") {
  auto const report = sample_report();
  auto const json = nlohmann::json::parse(json_report(report));
  std::size_t sum = 0;
  for (auto const& [name, count] : json["tally"].items())
    if (name != "total") sum += count.get<std::size_t>();
  CHECK(json["tally"]["total"] == sum);
  CHECK(json["exit_code"] == exit_code_of(report));
  CHECK(json["seed"] == 7);
}
