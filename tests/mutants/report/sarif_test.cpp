#include "gates/runner/exit_code.h"
#include "gates/runner/json_document.h"
#include "mutants/driver/report/report.h"
#include "tests/catch.h"
#include "tests/mutants/report/sample.h"
#include "tests/mutants/report/schema_check.h"

using namespace redproof::mutants;
using Found = std::vector<std::string>;

namespace {

// What SARIF 2.1.0 asks of the parts that are written here.
constexpr const char* sarif = R"({"type":"object","required":["version","runs"],"properties":{
 "version":{"enum":["2.1.0"]},"$schema":{"type":"string"},"runs":{"type":"array","items":{"type":"object","required":["tool"],"properties":{
  "tool":{"type":"object","required":["driver"],"properties":{"driver":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},
   "rules":{"type":"array","items":{"type":"object","required":["id"],"properties":{"id":{"type":"string"},
     "shortDescription":{"$ref":"#/definitions/message"},"defaultConfiguration":{"type":"object","properties":{"level":{"$ref":"#/definitions/level"}}}}}}}}}},
  "columnKind":{"enum":["utf16CodeUnits","unicodeCodePoints"]},
  "invocations":{"type":"array","items":{"type":"object","required":["executionSuccessful"],"properties":{
   "executionSuccessful":{"type":"boolean"},"exitCode":{"type":"integer"},
   "toolExecutionNotifications":{"type":"array","items":{"type":"object","required":["message"],"properties":{"message":{"$ref":"#/definitions/message"},"level":{"$ref":"#/definitions/level"}}}}}}},
  "results":{"type":"array","items":{"type":"object","required":["message"],"properties":{
   "message":{"$ref":"#/definitions/message"},"ruleId":{"type":"string"},"ruleIndex":{"type":"integer","minimum":-1},"level":{"$ref":"#/definitions/level"},
   "partialFingerprints":{"type":"object","additionalProperties":{"type":"string"}},
   "locations":{"type":"array","items":{"type":"object","properties":{"physicalLocation":{"type":"object","required":["artifactLocation"],"properties":{
     "artifactLocation":{"type":"object","properties":{"uri":{"type":"string","pattern":"^[A-Za-z0-9/._~%-]+$"},"uriBaseId":{"type":"string"}}},
     "region":{"type":"object","additionalProperties":{"type":"integer","minimum":1}}}}}}}}}}}}}},
 "definitions":{"message":{"type":"object","required":["text"],"properties":{"text":{"type":"string"}}},"level":{"enum":["none","note","warning","error"]}}})";

}  // namespace

TEST_CASE("a SARIF report has what SARIF 2.1.0 asks for", "[report]") {
  CHECK(test::violations(sarif_report(test::sample_report()), sarif) == Found{});
  CHECK(test::violations(sarif_report({}), sarif) == Found{});
}

TEST_CASE("a SARIF report holds a result for each mutant that is not as declared, at its place, under its rule", "[report]") {
  auto const document = redproof::gates::JsonDocument::parse(sarif_report(test::sample_report()), "sarif");
  auto const run = document.root().at("runs").items().at(0);
  auto const results = run.at("results").items();
  REQUIRE(results.size() == 2);
  auto const rules = run.at("tool").at("driver").at("rules").items();
  for (const auto& result : results) CHECK(rules.at(result.at("ruleIndex").natural()).at("id").text() == result.at("ruleId").text());
  auto const place = results[0].at("locations").items().at(0).at("physicalLocation");
  CHECK(place.at("artifactLocation").at("uri").text() == "a%2C%20b.cpp");
  CHECK(place.at("region").at("startLine").natural() == 2);
  CHECK(run.at("invocations").items().at(0).at("exitCode").natural() == 2);
}

TEST_CASE("a SARIF report says whether the run came to its end", "[report]") {
  namespace gates = redproof::gates;
  auto const [code, ended] = GENERATE(table<int, bool>({{gates::exit_red, true},
                                                        {gates::exit_unproved, true},
                                                        {gates::exit_refused, false},
                                                        {gates::exit_internal, false},
                                                        {gates::exit_interrupted, false}}));
  RunReport report;
  report.exit_codes = {code};
  auto const document = gates::JsonDocument::parse(sarif_report(report), "sarif");
  auto const invocation = document.root().at("runs").items().at(0).at("invocations").items().at(0);
  CHECK(invocation.at("exitCode").natural() == static_cast<std::uint64_t>(code));
  CHECK(invocation.at("executionSuccessful").boolean() == ended);
}

TEST_CASE("a SARIF result keeps its fingerprint when the mutant ends otherwise", "[report]") {
  auto const fingerprints = [](const RunReport& report) {
    auto const document = redproof::gates::JsonDocument::parse(sarif_report(report), "sarif");
    Found found;
    for (const auto& result : document.root().at("runs").items().at(0).at("results").items())
      found.push_back(result.at("partialFingerprints").at("mutant/v1").text());
    return found;
  };
  RunReport report = test::sample_report();
  Found const before = fingerprints(report);
  REQUIRE(before.size() == 2);
  CHECK(before[0] != before[1]);
  report.records[1].outcome = Outcome::wrong_gate;
  report.records[1].reason = "another";
  CHECK(fingerprints(report) == before);
}
