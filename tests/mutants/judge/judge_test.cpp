#include "mutants/driver/judge/judge.h"

#include "tests/catch.h"

using namespace redproof::mutants;
using redproof::gates::GateResult;
using redproof::gates::LawEvidence;
using redproof::gates::Verdict;

namespace {

LawEvidence law(const std::string& name, Verdict verdict, std::uint64_t elements, const std::string& subject = "cpu") {
  LawEvidence evidence;
  evidence.law = name;
  evidence.subject = subject;
  evidence.verdict = verdict;
  evidence.elements = elements;
  if (verdict == Verdict::red) evidence.worst = redproof::gates::WorstElement{"lane", "x", "1", "0", 1, 0};
  return evidence;
}

GateResult gate(Verdict verdict, std::vector<LawEvidence> laws) {
  GateResult result;
  result.id = "g";
  result.verdict = verdict;
  result.evidence.laws = std::move(laws);
  result.process.exit_code = 0;
  return result;
}

Mutant named(const std::string& name) {
  Mutant mutant;
  mutant.reds = {{"g", name}};
  return mutant;
}

GateResult const pristine = gate(Verdict::green, {law("a", Verdict::green, 5), law("b", Verdict::green, 7)});

Outcome judged(const GateResult& result, const Mutant& mutant = named("a")) {
  return judge_reds(mutant, {{"g", result}}, {{"g", pristine}}).outcome;
}

}  // namespace

TEST_CASE("only the named law, red and with its element, is a kill", "[judge]") {
  CHECK(judged(gate(Verdict::red, {law("a", Verdict::red, 5), law("b", Verdict::green, 7)})) == Outcome::killed);
  CHECK(judged(gate(Verdict::red, {law("a", Verdict::green, 5), law("b", Verdict::red, 7)})) == Outcome::wrong_reason);
  LawEvidence bare = law("a", Verdict::red, 5);
  bare.worst.reset();
  CHECK(judged(gate(Verdict::red, {bare})) == Outcome::no_evidence);
  CHECK(judged(gate(Verdict::red, {bare, law("a", Verdict::red, 5, "cpu/avx2")})) == Outcome::killed);
}

TEST_CASE("a gate that leaves an exit code alone kills by what it prints, where that is promised", "[judge]") {
  GateResult runner = gate(Verdict::red, {});
  runner.process.output = "case pairs\n1 test failed\n";
  Mutant mutant;
  mutant.reds = {{"g", {}}};
  CHECK(judged(runner, mutant) == Outcome::killed);
  mutant.reds[0].message = "1 test failed";
  CHECK(judged(runner, mutant) == Outcome::killed);
  runner.process.output = "no such case\n";
  CHECK(judged(runner, mutant) == Outcome::wrong_reason);
  GateResult chatty = pristine;
  chatty.process.output = runner.process.output = "0 cases failed";
  mutant.reds[0].message = "failed";
  CHECK(judge_reds(mutant, {{"g", runner}}, {{"g", chatty}}).outcome == Outcome::no_evidence);
}

TEST_CASE("green counts only over the pristine elements, law by law", "[judge]") {
  CHECK(judged(gate(Verdict::green, {law("a", Verdict::green, 5), law("b", Verdict::green, 7)})) == Outcome::survived);
  // The same sum, shared out otherwise.
  CHECK(judged(gate(Verdict::green, {law("a", Verdict::green, 6), law("b", Verdict::green, 6)})) == Outcome::no_evidence);
  CHECK(judged(gate(Verdict::green, {law("a", Verdict::green, 5)})) == Outcome::no_evidence);
  // More than on the pristine tree is another population, too.
  CHECK(judged(gate(Verdict::green, {law("a", Verdict::green, 6), law("b", Verdict::green, 7)})) == Outcome::no_evidence);
}

TEST_CASE("two named reds are killed together, survive where both are green or one, and else end as the first that ended otherwise",
          "[judge]") {
  struct One {
    Outcome outcome;
    GateResult result;
  };
  auto const broken = [](auto change) {
    GateResult result = gate(Verdict::broken, {});
    change(result.process);
    return result;
  };
  std::vector<One> const all = {
      {Outcome::killed, gate(Verdict::red, {law("a", Verdict::red, 5), law("b", Verdict::green, 7)})},
      {Outcome::survived, pristine},
      {Outcome::wrong_reason, gate(Verdict::red, {law("a", Verdict::green, 5), law("b", Verdict::red, 7)})},
      {Outcome::crash, broken([](auto& process) { process.signal = 11; })},
      {Outcome::timeout, broken([](auto& process) { process.timed_out = true; })},
      {Outcome::oom, broken([](auto& process) { process.oom = true; })},
      {Outcome::no_evidence, gate(Verdict::vacuous, {})},
  };
  Mutant mutant;
  mutant.reds = {{"g", "a"}, {"h", "a"}};
  for (const One& first : all)
    for (const One& second : all) {
      auto const is_plain = [](const One& one) { return one.outcome == Outcome::killed || one.outcome == Outcome::survived; };
      Outcome const truth = !is_plain(first)                                                        ? first.outcome
                            : !is_plain(second)                                                     ? second.outcome
                            : first.outcome == Outcome::killed && second.outcome == Outcome::killed ? Outcome::killed
                                                                                                    : Outcome::survived;
      Judged const both = judge_reds(mutant, {{"g", first.result}, {"h", second.result}}, {{"g", pristine}, {"h", pristine}});
      INFO(word(first.outcome) << " and " << word(second.outcome));
      CHECK(both.outcome == truth);
      CHECK(both.as_declared == (truth == Outcome::killed));
    }
}

TEST_CASE("vacuous, skipped and broken gates never kill", "[judge]") {
  CHECK(judged(gate(Verdict::vacuous, {})) == Outcome::no_evidence);
  CHECK(judged(gate(Verdict::skipped, {})) == Outcome::no_evidence);
  CHECK(judged(gate(Verdict::broken, {law("a", Verdict::red, 5)})) == Outcome::no_evidence);
}

TEST_CASE("a gate that is skipped on the pristine tree too says nothing of a generated mutant", "[judge]") {
  Judged const judged = judge_any(gate(Verdict::skipped, {}), gate(Verdict::skipped, {}));
  CHECK(judged.outcome == Outcome::no_evidence);
  CHECK_FALSE(judged.as_declared);
  CHECK(judged.reason.find("skipped") != std::string::npos);
}

TEST_CASE("a broken gate says how its process ended", "[judge]") {
  GateResult broken = gate(Verdict::broken, {});
  for (int const code : {129, 139, 192}) {
    broken.process.exit_code = code;
    CHECK(judged(broken) == Outcome::crash);
  }
  for (int const code : {128, 193}) {
    broken.process.exit_code = code;
    CHECK(judged(broken) == Outcome::no_evidence);
  }
  broken.process.exit_code = -1;
  broken.process.signal = 11;
  CHECK(judged(broken) == Outcome::crash);
  broken.process.oom = true;
  CHECK(judged(broken) == Outcome::oom);
  broken.process.timed_out = true;
  CHECK(judged(broken) == Outcome::timeout);
  Mutant expects = named("a");
  expects.expects = Expectation::timeout;
  Judged const declared = judge_reds(expects, {{"g", broken}}, {{"g", pristine}});
  CHECK(declared.outcome == Outcome::timeout);
  CHECK(declared.as_declared);
  expects.expects = Expectation::crash;
  CHECK_FALSE(judge_reds(expects, {{"g", broken}}, {{"g", pristine}}).as_declared);
}

TEST_CASE("an expected end that did not come is a survivor or a wrong reason", "[judge]") {
  Mutant expects = named("a");
  expects.expects = Expectation::crash;
  Judged const green = judge_reds(expects, {{"g", pristine}}, {{"g", pristine}});
  CHECK(green.outcome == Outcome::survived);
  CHECK_FALSE(green.as_declared);
  CHECK(judged(gate(Verdict::red, {law("a", Verdict::red, 5)}), expects) == Outcome::wrong_reason);
}

TEST_CASE("keeps_green needs green and the pristine counts", "[judge]") {
  Mutant mutant;
  mutant.keeps_green = {"g"};
  CHECK(judge_greens(mutant, {{"g", pristine}}, {{"g", pristine}}).outcome == Outcome::killed);
  CHECK(judge_greens(mutant, {{"g", gate(Verdict::green, {law("a", Verdict::green, 5)})}}, {{"g", pristine}}).outcome ==
        Outcome::collateral);
  CHECK(judge_greens(mutant, {{"g", gate(Verdict::skipped, {})}}, {{"g", pristine}}).outcome == Outcome::collateral);
  Judged const skipped = judge_greens(mutant, {{"g", gate(Verdict::skipped, {})}}, {{"g", gate(Verdict::skipped, {})}});
  CHECK(skipped.outcome == Outcome::no_evidence);
  CHECK_FALSE(skipped.as_declared);
}

TEST_CASE("a build is judged by its message", "[judge]") {
  Mutant mutant;
  CHECK(judge_build(mutant, false, "a.cpp:1: error: x").outcome == Outcome::unviable);
  mutant.build_message = "static assertion failed";
  CHECK(judge_build(mutant, false, "error: static assertion failed: y").as_declared);
  CHECK(judge_build(mutant, false, "error: x").outcome == Outcome::wrong_reason);
  for (const char* log : {"", "a.cpp:1: warning: static assertion failed"}) {
    CHECK(judge_build(mutant, true, log).outcome == Outcome::survived);
    CHECK_FALSE(judge_build(mutant, true, log).as_declared);
  }
}
