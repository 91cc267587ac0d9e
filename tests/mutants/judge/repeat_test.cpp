#include "mutants/driver/judge/repeat.h"

#include <cmath>

#include "tests/catch.h"

using redproof::gates::GateResult;
using redproof::gates::WorstElement;
using redproof::mutants::difference;
using redproof::mutants::evidence_text;

namespace {

GateResult result() {
  GateResult result;
  result.id = "a";
  result.evidence.laws.emplace_back();
  auto& law = result.evidence.laws.back();
  law.law = "law";
  law.subject = "cpu";
  law.elements = 7;
  law.population = {{"lanes", 2}};
  law.worst = WorstElement{"lane 1", "x", "nan", "0", std::nan(""), 0.5};
  return result;
}

}  // namespace

TEST_CASE("equal evidence is no difference, a NaN in it neither", "[judge]") {
  CHECK(difference(result(), result()).empty());
  GateResult slower = result();
  slower.seconds = 9;
  slower.process.output = "took 9 s";
  CHECK(difference(result(), slower).empty());
}

TEST_CASE("any figure that differs is told with both values", "[judge]") {
  GateResult other = result();
  other.evidence.laws[0].elements = 8;
  CHECK(difference(result(), other) == "gate a: law on cpu: elements 8, and elements 7 at first");
  other = result();
  other.evidence.laws[0].population[0].second = 3;
  CHECK(difference(result(), other) == "gate a: law on cpu: lanes 3, and lanes 2 at first");
  other = result();
  other.evidence.laws[0].worst->where = "lane 2";
  CHECK(difference(result(), other) == "gate a: law on cpu: worst element lane 2, and worst element lane 1 at first");
  other.evidence.laws[0].worst.reset();
  CHECK(difference(result(), other) == "gate a: law on cpu: 5 figures, and 11 at first");
  other.evidence.laws.clear();
  CHECK(difference(result(), other) == "gate a: law on cpu: did not report, and did at first");
}

TEST_CASE("of a gate that leaves an exit code alone the words are compared, and no times", "[judge]") {
  GateResult first, later;
  first.id = later.id = "exits";
  first.evidence.exit_code_only = later.evidence.exit_code_only = true;
  first.process.output = "3 passed in 0.25 s";
  later.process.output = "3 passed in 1.5 s";
  CHECK(difference(first, later).empty());
  later.process.output = "2 passed, 1 skipped in 1.5 s";
  CHECK(difference(first, later) == "gate exits prints other words than at first");
}

TEST_CASE("evidence as text holds every figure, and no time and no words", "[judge]") {
  GateResult slower = result();
  slower.seconds = 9;
  slower.process.output = "words";
  CHECK(evidence_text(slower) == evidence_text(result()));
  GateResult other = result();
  other.evidence.laws[0].population[0].second = 3;
  CHECK(evidence_text(other) != evidence_text(result()));
  other = result();
  other.evidence.laws[0].subject = "cpu/avx2";
  CHECK(evidence_text(other) != evidence_text(result()));
}
