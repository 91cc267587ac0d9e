// Judging without building: the gates are functions here.
#include "mutants/driver/run/trial.h"

#include "tests/catch.h"
#include "tests/mutants/fixture.h"

using namespace redproof::mutants;
namespace gates = redproof::gates;

namespace {

gates::GateResult result(const std::string& id, gates::Verdict verdict) {
  gates::GateResult made;
  made.id = id;
  made.verdict = verdict;
  made.process.exit_code = verdict == gates::Verdict::green ? 0 : 2;
  made.evidence.exit_code_only = true;
  return made;
}

struct Bench {
  test::TemporaryFolder folder;
  OutputFolder out{folder.path() / "out"};
  std::vector<gates::Gate> gates;
  Pristine pristine;
  std::map<std::string, Shown> shown, shown_alone;
  std::map<std::string, std::vector<Shown>> shown_again;
  std::vector<Patience> again;
  std::vector<std::string> ran, asked;  // whole gates, and gates that were asked for the named laws
  int pristine_runs = 0;
  bool green_alone = true;
  LastKillers killers;
  bool every_gate = false;

  void add(const std::string& id, gates::Verdict verdict, std::optional<std::uint64_t> hits, double pristine_seconds = 0,
           gates::Verdict pristine_verdict = gates::Verdict::green) {
    gates.emplace_back();
    gates.back().id = id;
    shown[id] = {result(id, verdict), hits};
    gates::GateResult before = result(id, pristine_verdict);
    before.seconds = pristine_seconds;
    pristine.add({{id, before}});
  }

  Record judged(const std::vector<Red>& reds, const std::vector<std::string>& keeps_green = {}) {
    PlannedMutant planned;
    planned.mutant.id = "g/m";
    planned.mutant.reds = reds;
    planned.mutant.keeps_green = keeps_green;
    planned.every_gate = every_gate;
    return judged(planned, judge_by_gates);
  }

  Record generated() {
    PlannedMutant planned;
    planned.mutant.id = "g/m";
    planned.mutant.generated = true;
    planned.finding.files = {{"a.cpp", "", "", "", "", {}}};
    planned.every_gate = every_gate;
    return judged(planned, judge_generated);
  }

  Record judged(const PlannedMutant& planned, void (*judge)(const TrialTools&, const PlannedMutant&, Record&)) {
    auto const run = [&](const std::vector<gates::Gate>& named) {
      std::map<std::string, Shown> some;
      for (const gates::Gate& gate : named) {
        some[gate.id] = gate.these_laws_only ? shown_alone.at(gate.id) : shown.at(gate.id);
        (gate.these_laws_only ? asked : ran).push_back(gate.id);
      }
      return some;
    };
    auto const run_again = [&](const gates::Gate& gate, Patience patience) {
      again.push_back(patience);
      return shown_again.at(gate.id).at(again.size() - 1);
    };
    auto const run_pristine = [&](const std::vector<gates::Gate>&) {
      ++pristine_runs;
      return pristine.all();
    };
    Record record;
    auto const is_green_alone = [&](const gates::Gate&) { return green_alone; };
    judge({gates, pristine, out, killers, "f", run, run_again, run_pristine, is_green_alone}, planned, record);
    return record;
  }
};

gates::LawEvidence red_law(const std::string& name) {
  gates::LawEvidence law;
  law.law = name;
  law.verdict = gates::Verdict::red;
  law.worst.emplace();
  return law;
}

}  // namespace

TEST_CASE("a survivor that no gate enters is not reached, one that some gate enters survived", "[run]") {
  Bench bench;
  bench.add("named", gates::Verdict::green, 0);
  bench.add("other", gates::Verdict::green, 0);
  CHECK(bench.judged({{"named", ""}}).outcome == Outcome::not_reached);
  bench.shown["other"].hits = 3;
  CHECK(bench.judged({{"named", ""}}).outcome == Outcome::survived);
  bench.shown["other"].hits.reset();  // not counted: nothing can be said
  bench.shown["named"].hits.reset();
  CHECK(bench.judged({{"named", ""}}).outcome == Outcome::survived);
}

TEST_CASE("of generated mutants the law that went red last for the function is asked first, alone, and only its red is believed", "[run]") {
  Bench bench;
  bench.add("quick", gates::Verdict::green, 1, 0.1);
  bench.add("slow", gates::Verdict::red, 1, 2);
  bench.shown["slow"].result.evidence.laws = {red_law("law_b")};
  CHECK(bench.generated().reason == "slow/law_b");
  CHECK(bench.ran == std::vector<std::string>{"quick", "slow"});
  CHECK(bench.asked.empty());
  bench.shown_alone["slow"] = bench.shown["slow"];
  bench.ran.clear();
  Record const killed = bench.generated();
  CHECK(killed.outcome == Outcome::killed);
  CHECK(killed.reason == "slow/law_b");
  REQUIRE(killed.gates.size() == 1);
  CHECK(killed.gates.front().hits == std::uint64_t{1});
  CHECK(bench.ran.empty());
  CHECK(bench.asked == std::vector<std::string>{"slow"});
  for (auto const verdict : {gates::Verdict::green, gates::Verdict::broken, gates::Verdict::vacuous}) {
    bench.shown_alone["slow"] = {result("slow", verdict), 1};
    bench.ran.clear();
    CHECK(bench.generated().reason == "slow/law_b");
    CHECK(bench.ran == std::vector<std::string>{"quick", "slow"});
  }
  bench.asked.clear();
  bench.every_gate = true;
  CHECK(bench.generated().outcome == Outcome::killed);
  CHECK(bench.asked.empty());
}

TEST_CASE("a law that is not green by itself without a mutant is not asked by itself", "[run]") {
  Bench bench;
  bench.add("gate", gates::Verdict::red, 1);
  bench.shown["gate"].result.evidence.laws = {red_law("law")};
  bench.shown_alone["gate"] = bench.shown["gate"];
  bench.green_alone = false;
  for (int i = 0; i < 2; ++i) CHECK(bench.generated().outcome == Outcome::killed);
  CHECK(bench.judged({{"gate", "law"}}).outcome == Outcome::killed);
  CHECK(bench.asked.empty());
  CHECK(bench.ran.size() == 3);
}

TEST_CASE("whether a law is green by itself is shown once for each choice of laws", "[run]") {
  Pristine pristine;
  gates::Gate gate;
  gate.id = "gate";
  int runs = 0;
  auto const shown = [&](gates::Verdict verdict) {
    return pristine.is_green_alone(gate, [&] {
      ++runs;
      return result("gate", verdict);
    });
  };
  gate.laws = {"a"};
  CHECK(shown(gates::Verdict::green));
  CHECK(shown(gates::Verdict::red));
  CHECK(runs == 1);
  gate.laws = {"b"};
  CHECK_FALSE(shown(gates::Verdict::vacuous));
  CHECK(runs == 2);
}

TEST_CASE("what runs before a merge meets a generated mutant first, and is alone asked again", "[run]") {
  Bench bench;
  bench.add("nightly", gates::Verdict::red, 1, 0.1);
  bench.gates.back().stage = gates::Stage::nightly;
  bench.shown["nightly"].result.evidence.laws = {red_law("law")};
  bench.add("premerge", gates::Verdict::green, 1, 2);
  CHECK(bench.generated().reason == "nightly/law");
  CHECK(bench.generated().reason == "nightly/law");
  CHECK(bench.ran == std::vector<std::string>{"premerge", "nightly", "premerge", "nightly"});
  CHECK(bench.asked.empty());
}

TEST_CASE("what another gate sees counts only where that gate is green without the mutant", "[run]") {
  Bench bench;
  bench.add("named", gates::Verdict::green, 1);
  bench.add("other", gates::Verdict::red, 1);
  CHECK(bench.judged({{"named", ""}}).outcome == Outcome::wrong_gate);
  CHECK(bench.pristine_runs == 1);
  Bench red_before;
  red_before.add("named", gates::Verdict::green, 1);
  red_before.gates.emplace_back();
  red_before.gates.back().id = "other";
  red_before.shown["other"] = {result("other", gates::Verdict::red), 1};
  red_before.pristine.add({{"other", result("other", gates::Verdict::red)}});
  CHECK(red_before.judged({{"named", ""}}).outcome == Outcome::survived);
}

TEST_CASE("every gate runs once on a mutant where that is asked for, and changes no outcome", "[run]") {
  Bench bench;
  bench.every_gate = true;
  bench.add("named", gates::Verdict::red, 3);
  bench.add("kept", gates::Verdict::green, 3);
  bench.add("other", gates::Verdict::red, 3);
  Record const killed = bench.judged({{"named", {}}}, {"kept"});
  CHECK(killed.outcome == Outcome::killed);
  CHECK(bench.ran == std::vector<std::string>{"named", "kept", "other"});
  CHECK(killed.gates.at(2).role == "other");
  bench.ran.clear();
  Record const seen_elsewhere = bench.judged({{"kept", {}}});
  CHECK(seen_elsewhere.outcome == Outcome::wrong_gate);
  CHECK(bench.ran == std::vector<std::string>{"kept", "named", "other"});
}

TEST_CASE("a kill is no evidence where a gate that had to stay green is skipped here", "[run]") {
  Bench bench;
  bench.add("named", gates::Verdict::red, 1);
  bench.add("device", gates::Verdict::skipped, std::nullopt, 0, gates::Verdict::skipped);
  Record const record = bench.judged({{"named", ""}}, {"device"});
  CHECK(record.outcome == Outcome::no_evidence);
  CHECK_FALSE(record.as_declared);
}

TEST_CASE("a kill is collateral where a gate that had to stay green did not", "[run]") {
  Bench bench;
  bench.add("named", gates::Verdict::red, 1);
  bench.add("other", gates::Verdict::green, 0);
  CHECK(bench.judged({{"named", ""}}, {"other"}).outcome == Outcome::killed);
  bench.shown["other"] = {result("other", gates::Verdict::red), 1};
  CHECK(bench.judged({{"named", ""}}, {"other"}).outcome == Outcome::collateral);
  CHECK(bench.judged({{"named", ""}}, {"other"}).gates.at(1).hits == std::uint64_t{1});
}

namespace {

gates::LawEvidence law(const std::string& name, gates::Verdict verdict, std::uint64_t elements) {
  gates::LawEvidence made;
  made.law = name;
  made.verdict = verdict;
  made.elements = elements;
  if (verdict == gates::Verdict::red) made.worst = gates::WorstElement{"here", "1", "2", "3", 1.0, 0.0};
  return made;
}

Shown told(gates::Verdict verdict, std::vector<gates::LawEvidence> laws) {
  Shown made{result("named", verdict), 1};
  made.result.evidence.laws = std::move(laws);
  return made;
}

constexpr auto green = gates::Verdict::green;
constexpr auto red = gates::Verdict::red;

// One gate, `named`, with the laws first (7 elements) and second (30).
struct BenchOfTwoLaws : Bench {
  BenchOfTwoLaws() {
    gates.emplace_back();
    gates.back().id = "named";
    pristine.add({{"named", told(green, {law("first", green, 7), law("second", green, 30)}).result}});
  }
};

}  // namespace

TEST_CASE("a mutant is killed by its named law alone, over the elements of that law", "[run]") {
  BenchOfTwoLaws bench;
  bench.shown_alone["named"] = told(red, {law("first", red, 7)});
  Record const killed = bench.judged({{"named", "first"}});
  CHECK(killed.outcome == Outcome::killed);
  CHECK(killed.gates.at(0).pristine_elements == 7);
  CHECK(bench.ran.empty());
}

TEST_CASE("where the named law does not go red alone, the whole gate says what the outcome is", "[run]") {
  BenchOfTwoLaws bench;
  bench.shown_alone["named"] = told(green, {law("first", green, 7)});
  bench.shown["named"] = told(red, {law("first", green, 7), law("second", red, 30)});
  Record const elsewhere = bench.judged({{"named", "first"}});
  CHECK(elsewhere.outcome == Outcome::wrong_reason);
  CHECK(elsewhere.gates.size() == 1);
  CHECK(bench.ran == std::vector<std::string>{"named"});
  // Seen in the whole gate only, and in the named law: a kill all the same.
  bench.shown["named"] = told(red, {law("first", red, 7), law("second", green, 30)});
  CHECK(bench.judged({{"named", "first"}}).outcome == Outcome::killed);
}

namespace {

Shown out_of_time(const std::string& id) {
  Shown shown{result(id, gates::Verdict::broken), 1};
  shown.result.reason = "timed out";
  shown.result.process.timed_out = true;
  return shown;
}

}  // namespace

TEST_CASE("what a clock ended is run again with more time each, until it ends", "[run]") {
  Bench bench;
  bench.add("named", green, 1);
  bench.shown["named"] = out_of_time("named");
  bench.shown_again["named"] = {out_of_time("named"), {result("named", red), 1}};
  Record const record = bench.judged({{"named", ""}});
  CHECK(record.outcome == Outcome::killed);
  CHECK(bench.again == std::vector<Patience>{2, 4});
  REQUIRE(record.attempts.size() == 3);
  CHECK(record.attempts[0].what == "gate named");
  CHECK_FALSE(record.attempts[0].alone);
  CHECK(record.attempts[1].alone);
  CHECK(record.attempts[1].timed_out);
  CHECK(record.attempts[2].ending == "red");
  CHECK(record.gates.size() == 1);
}

TEST_CASE("what ran out of its time alone twice more is a timeout, in a gate that has to stay green too", "[run]") {
  Bench bench;
  bench.add("named", red, 1);
  bench.add("other", green, 1);
  bench.shown["other"] = out_of_time("other");
  bench.shown_again["other"] = {out_of_time("other"), out_of_time("other")};
  CHECK(bench.judged({{"named", ""}}, {"other"}).outcome == Outcome::collateral);
  bench.again.clear();
  bench.shown["named"] = out_of_time("named");
  bench.shown_again["named"] = bench.shown_again["other"];
  CHECK(bench.judged({{"named", ""}}).outcome == Outcome::timeout);
  CHECK(bench.again.size() == 2);
}

TEST_CASE("a hang that was counted, and a gate that was asked for some laws alone, are not run again", "[run]") {
  Bench bench;
  bench.add("named", green, 1);
  bench.shown["named"] = out_of_time("named");
  bench.shown["named"].counted = true;
  CHECK(bench.judged({{"named", ""}}).outcome == Outcome::timeout);
  BenchOfTwoLaws laws;
  laws.shown_alone["named"] = out_of_time("named");
  laws.shown["named"] = told(red, {law("first", red, 7), law("second", green, 30)});
  Record const record = laws.judged({{"named", "first"}});
  CHECK(record.outcome == Outcome::killed);
  CHECK(record.attempts.empty());
  CHECK(bench.again.empty());
  CHECK(laws.again.empty());
}

TEST_CASE("a generated mutant meets the quickest gate first, and the first that kills it is the last", "[run]") {
  Bench bench;
  bench.add("slow", red, 1, 9);
  bench.add("middle", red, 1, 2);
  bench.add("quick", green, 1, 1);
  Record const record = bench.generated();
  CHECK(record.outcome == Outcome::killed);
  CHECK(record.reason == "middle");
  CHECK(bench.ran == std::vector<std::string>{"quick", "middle"});
}

TEST_CASE("of a generated mutant the first gate that fails says how, unless a later one kills it", "[run]") {
  Bench bench;
  bench.add("crashes", gates::Verdict::broken, 1, 1);
  bench.add("starves", gates::Verdict::broken, 1, 2);
  bench.add("last", green, 1, 3);
  bench.shown["crashes"].result.process.signal = 11;
  bench.shown["starves"].result.process.oom = true;
  CHECK(bench.generated().outcome == Outcome::crash);
  bench.shown["last"] = {result("last", red), 1};
  CHECK(bench.generated().outcome == Outcome::killed);
}
