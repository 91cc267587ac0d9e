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
  std::map<std::string, Shown> shown;
  int pristine_runs = 0;

  void add(const std::string& id, gates::Verdict verdict, std::optional<std::uint64_t> hits) {
    gates.emplace_back();
    gates.back().id = id;
    shown[id] = {result(id, verdict), hits};
    pristine.add({{id, result(id, gates::Verdict::green)}});
  }

  Record judged(const std::vector<Red>& reds, const std::vector<std::string>& keeps_green = {}) {
    PlannedMutant planned;
    planned.mutant.id = "g/m";
    planned.mutant.reds = reds;
    planned.mutant.keeps_green = keeps_green;
    auto const run = [&](const std::vector<gates::Gate>& named) {
      std::map<std::string, Shown> some;
      for (const gates::Gate& gate : named) some[gate.id] = shown.at(gate.id);
      return some;
    };
    auto const run_pristine = [&](const std::vector<gates::Gate>&) {
      ++pristine_runs;
      return pristine.all();
    };
    Record record;
    judge_by_gates({gates, pristine, out, run, run_pristine}, planned, record);
    return record;
  }
};

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

TEST_CASE("a kill is collateral where a gate that had to stay green did not", "[run]") {
  Bench bench;
  bench.add("named", gates::Verdict::red, 1);
  bench.add("other", gates::Verdict::green, 0);
  CHECK(bench.judged({{"named", ""}}, {"other"}).outcome == Outcome::killed);
  bench.shown["other"] = {result("other", gates::Verdict::red), 1};
  CHECK(bench.judged({{"named", ""}}, {"other"}).outcome == Outcome::collateral);
  CHECK(bench.judged({{"named", ""}}, {"other"}).gates.at(1).hits == std::uint64_t{1});
}
