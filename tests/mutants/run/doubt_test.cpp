#include "mutants/driver/run/doubt.h"

#include "tests/catch.h"

using namespace redproof::mutants;
using redproof::gates::GateResult;
using redproof::gates::Verdict;

namespace {

Record record_with(const std::string& gate, const std::string& verdict, Outcome outcome = Outcome::killed) {
  Record record;
  record.id = "g/m";
  record.outcome = outcome;
  record.as_declared = true;
  record.gates.emplace_back();
  record.gates.back().gate = gate;
  record.gates.back().verdict = verdict;
  return record;
}

GateResult result_of(const std::string& id, Verdict verdict) {
  GateResult result;
  result.id = id;
  result.verdict = verdict;
  result.reason = "why";
  return result;
}

}  // namespace

TEST_CASE("a gate that is red after the mutants too has killed none of them", "[run]") {
  Pristine pristine;
  pristine.add({{"a", result_of("a", Verdict::green)}, {"b", result_of("b", Verdict::green)}});
  Doubts doubts;
  doubts.compare({{"a", result_of("a", Verdict::red)}, {"b", result_of("b", Verdict::green)}}, pristine);
  std::vector<Record> records{record_with("a", "red"), record_with("b", "red"), record_with("a", "green", Outcome::survived),
                              record_with("a", "red"), record_with("a", "red")};
  records[3].reused = true;
  records[4].cached = true;
  CHECK(doubts.apply(records));
  CHECK(records[0].outcome == Outcome::unproved);
  CHECK_FALSE(records[0].as_declared);
  CHECK(records[0].exit_code() == 4);
  CHECK(records[0].reason == "it was killed, but after the run, without any mutant, gate a is red: why");
  CHECK(records[1].outcome == Outcome::killed);
  CHECK(records[2].outcome == Outcome::survived);
  CHECK(records[3].outcome == Outcome::killed);
  CHECK(records[4].outcome == Outcome::killed);
}

TEST_CASE("a doubt of everything takes what was built or run, and nothing else", "[run]") {
  Doubts doubts;
  std::vector<Record> records{record_with("a", "green"), Record{}, Record{}};
  records[1].outcome = Outcome::unviable;
  records[1].build.ran = true;
  records[2].outcome = Outcome::stale;
  CHECK_FALSE(doubts.apply(records));
  doubts.add(Outcome::no_evidence, "the programs are others");
  CHECK(doubts.apply(records));
  CHECK(records[0].reason == "it was killed, but the programs are others");
  CHECK(records[1].outcome == Outcome::no_evidence);
  CHECK(records[2].outcome == Outcome::stale);
}

TEST_CASE("the gates that were not green are those to run again", "[run]") {
  std::set<std::string> gates;
  Doubts const doubts;
  doubts.note(record_with("a", "green"), gates);
  doubts.note(record_with("b", "red"), gates);
  doubts.note(record_with("c", "broken"), gates);
  CHECK(gates == std::set<std::string>{"b", "c"});
}

namespace {

GateResult with_margin(double margin) {
  GateResult result = result_of("a", Verdict::green);
  result.evidence.laws.emplace_back();
  result.evidence.laws.back().law = "law";
  result.evidence.laws.back().subject = "cpu";
  result.evidence.laws.back().margin = margin;
  return result;
}

// Gate `a` is green before and after, with other figures.
struct Wavering {
  Pristine pristine;
  Doubts doubts;

  explicit Wavering(double later) {
    pristine.add({{"a", with_margin(3)}});
    doubts.compare({{"a", with_margin(later)}}, pristine);
  }
};

}  // namespace

TEST_CASE("a kill has to be confirmed only where its gate's evidence wavers", "[run]") {
  CHECK_FALSE(Wavering(3).doubts.has_to_be_confirmed(record_with("a", "red")));
  Wavering const wavering(4);
  CHECK(wavering.doubts.has_to_be_confirmed(record_with("a", "red")));
  CHECK_FALSE(wavering.doubts.has_to_be_confirmed(record_with("a", "green", Outcome::survived)));
  CHECK_FALSE(wavering.doubts.has_to_be_confirmed(record_with("b", "red")));
}

TEST_CASE("what is not the same once more, or was not run once more, is unproved", "[run]") {
  std::string const why = "it was killed, but the gate is not deterministic (gate a: law on cpu: margin 4, and margin 3 at first)";
  std::vector<Record> records{record_with("a", "red")};
  Wavering same(4), other(4), none(4);
  same.doubts.confirm(record_with("a", "red"), true);
  CHECK(same.doubts.apply(records));
  CHECK(records[0].outcome == Outcome::killed);
  CHECK(records[0].attempts.at(0).what == "the mutant on another worker");
  records = {record_with("a", "red")};
  other.doubts.confirm(record_with("a", "green", Outcome::survived), false);
  CHECK(other.doubts.apply(records));
  CHECK(records[0].outcome == Outcome::unproved);
  CHECK_FALSE(records[0].as_declared);
  CHECK(records[0].reason == why + ", and when it was run once more it was survived");
  records = {record_with("a", "broken", Outcome::crash)};
  Record undeclared = records[0];
  undeclared.as_declared = false;
  Wavering otherwise(4);
  otherwise.doubts.confirm(undeclared, false);
  CHECK(otherwise.doubts.apply(records));
  CHECK(records[0].outcome == Outcome::unproved);
  records = {record_with("a", "red")};
  CHECK(none.doubts.apply(records));
  CHECK(records[0].outcome == Outcome::unproved);
  CHECK(records[0].reason == why + ", and it was not run once more");
}

TEST_CASE("what has to be confirmed goes to the worker after the one that judged it", "[run]") {
  Wavering const wavering(4);
  PlannedMutant planned;
  planned.mutant.id = "g/m";
  std::vector<Record> const records{record_with("a", "red")};
  CHECK(wavering.doubts.to_confirm({&planned}, records, {{"g/m", 1}}, 3).at(2).size() == 1);
  CHECK(wavering.doubts.to_confirm({&planned}, records, {{"g/m", 2}}, 3).at(0).size() == 1);
  CHECK(wavering.doubts.to_confirm({&planned}, records, {{"g/m", 0}}, 1).at(0).size() == 1);
  CHECK(wavering.doubts.to_confirm({&planned}, {record_with("b", "red")}, {{"g/m", 0}}, 1).at(0).empty());
}
