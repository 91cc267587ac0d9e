#include "gates/runner/verdict.h"

#include <cmath>
#include <csignal>
#include <limits>

#include "tests/catch.h"
#include "tests/gates/fixture.h"

using namespace redproof::gates;
using namespace redproof::tests;

namespace {

Gate program_gate() {
  auto gate = shell_gate("g", "");
  gate.argv.clear();
  gate.program = "fake";
  gate.tag = "g";
  gate.laws = {"law_a"};
  return gate;
}

ProcessResult ended(int exit_code) {
  ProcessResult process;
  process.exit_code = exit_code;
  return process;
}

EvidenceReading told(std::vector<LawEvidence> laws) {
  EvidenceReading reading;
  reading.evidence = Evidence();
  reading.evidence->gate = "g";
  reading.evidence->program = "fake";
  reading.evidence->laws = std::move(laws);
  return reading;
}

EvidenceReading nothing() {
  EvidenceReading reading;
  reading.absent = true;
  reading.broken = "left no evidence";
  return reading;
}

LawEvidence law_with(Verdict verdict, const std::string& name) {
  auto law = verdict == Verdict::red ? red_law() : green_law();
  law.law = name;
  law.verdict = verdict;
  if (verdict != Verdict::red && verdict != Verdict::green) law.reason = "a reason";
  return law;
}

Verdict verdict_of(const Gate& gate, const ProcessResult& process, const EvidenceReading& reading) {
  return judge(gate, process, reading).verdict;
}

}  // namespace

TEST_CASE("green laws and exit code 0 are green", "[verdict]") {
  auto const judgement = judge(program_gate(), ended(0), told({green_law()}));
  CHECK(judgement.verdict == Verdict::green);
  CHECK(judgement.reason.empty());
}

TEST_CASE("an exit code that disagrees with the laws is broken, whichever of the two is worse", "[verdict]") {
  for (int const code : {0, 1, 2, 8, 42, 70, 127}) {
    CHECK(verdict_of(program_gate(), ended(code), told({green_law()})) == (code == 0 ? Verdict::green : Verdict::broken));
    CHECK(verdict_of(program_gate(), ended(code), told({red_law()})) == (code == 2 ? Verdict::red : Verdict::broken));
    CHECK(verdict_of(program_gate(), ended(code), told({law_with(Verdict::vacuous, "law_a")})) ==
          (code == 8 ? Verdict::vacuous : Verdict::broken));
    CHECK(verdict_of(program_gate(), ended(code), told({law_with(Verdict::skipped, "law_a")})) ==
          (code == 8 ? Verdict::skipped : Verdict::broken));
  }
  CHECK(judge(program_gate(), ended(0), told({red_law()})).reason == "exit code 0, but its laws say 2");
}

TEST_CASE("a process that did not end by itself is broken, whatever evidence it left", "[verdict]") {
  auto process = ended(-1);
  process.signal = SIGSEGV;
  CHECK(judge(program_gate(), process, told({green_law()})).reason == "killed by signal 11 (SIGSEGV, Segmentation fault)");
  process.oom = true;
  CHECK(judge(program_gate(), process, told({red_law()})).reason == "killed by signal 11 (SIGSEGV, Segmentation fault), out of memory");
  process = ended(0);
  process.timed_out = true;
  CHECK(judge(program_gate(), process, told({green_law()})).reason == "timed out");
  process = ended(127);
  process.start_error = "cannot execute x";
  CHECK(judge(program_gate(), process, nothing()).reason == "cannot execute x");
  process = ended(2);
  process.interrupted = true;
  CHECK(judge(program_gate(), process, told({red_law()})).verdict == Verdict::broken);
}

TEST_CASE("no evidence, or evidence that is not believed, is broken", "[verdict]") {
  CHECK(judge(program_gate(), ended(8), nothing()).reason == "left no evidence, exit code 8");
  EvidenceReading reading;
  reading.broken = "evidence: nonce: is another";
  CHECK(judge(program_gate(), ended(2), reading).reason == "evidence: nonce: is another");
  CHECK(judge(program_gate(), ended(2), reading).verdict == Verdict::broken);
}

TEST_CASE("evidence without a law, or without a listed law, is broken", "[verdict]") {
  CHECK(judge(program_gate(), ended(0), told({})).reason == "evidence: no law reported");
  auto gate = program_gate();
  gate.laws = {"law_a", "law_b"};
  CHECK(judge(gate, ended(0), told({green_law()})).reason == "the law law_b did not report");
  CHECK(judge(gate, ended(0), told({green_law()})).verdict == Verdict::broken);
  CHECK(verdict_of(gate, ended(0), told({green_law(), law_with(Verdict::green, "law_b")})) == Verdict::green);
}

TEST_CASE("evidence of another program or subject is broken", "[verdict]") {
  auto reading = told({green_law()});
  reading.evidence->program = "other";
  CHECK(judge(program_gate(), ended(0), reading).reason == "evidence: program: is \"other\", not \"fake\"");
  auto law = green_law();
  law.subject = "cuda";
  CHECK(judge(program_gate(), ended(0), told({law})).reason == "law_a on cuda: a subject that the gate does not name");
  // A subject is of the family that its name begins with, however many words follow.
  for (const char* subject : {"cpu", "cpu/avx2", "cpu/avx2/x"}) {
    law.subject = subject;
    CHECK(verdict_of(program_gate(), ended(0), told({law})) == Verdict::green);
  }
  for (const char* subject : {"cpus", "cpus/avx2", "avx2/cpu"}) {
    law.subject = subject;
    CHECK(verdict_of(program_gate(), ended(0), told({law})) == Verdict::broken);
  }
}

TEST_CASE("zero elements and a population below a floor are vacuous", "[verdict]") {
  auto law = green_law();
  law.elements = 0;
  law.worst.reset();
  CHECK(judge(program_gate(), ended(0), told({law})).verdict == Verdict::vacuous);
  CHECK(judge(program_gate(), ended(0), told({law})).reason == "law_a on cpu/avx2: no element was checked");
  law = green_law();
  law.floors = {{"ties", 5}};
  CHECK(judge(program_gate(), ended(0), told({law})).reason == "law_a on cpu/avx2: 4 ties, at least 5 needed");
  CHECK(verdict_of(program_gate(), ended(0), told({law})) == Verdict::vacuous);
  law.floors = {{"subnormals", 1}};
  CHECK(verdict_of(program_gate(), ended(0), told({law})) == Verdict::vacuous);
  law.floors = {{"subnormals", 0}};
  CHECK(verdict_of(program_gate(), ended(0), told({law})) == Verdict::green);
}

TEST_CASE("red needs a failing element that stands outside its bound", "[verdict]") {
  auto law = red_law();
  CHECK(judge_law(law).reason == "3 of 10 elements");
  law.failures = 0;
  CHECK(judge_law(law).reason == "red without a failing element");
  law = red_law();
  law.worst.reset();
  CHECK(judge_law(law).verdict == Verdict::broken);
  law = red_law();
  law.worst->error = law.worst->bound;
  CHECK(judge_law(law).reason == "red, but its worst element is within its bound");
  law.worst->error = std::nan("");
  CHECK(judge_law(law).verdict == Verdict::red);
  law.worst->error = 1.0;
  law.worst->bound = HUGE_VAL;
  CHECK(judge_law(law).verdict == Verdict::red);
}

TEST_CASE("green with a failure, or with an element outside its bound, is broken", "[verdict]") {
  auto law = green_law();
  law.failures = 1;
  CHECK(judge_law(law).reason == "green with 1 failures");
  for (double const error : {0.5000001, std::nan(""), HUGE_VAL}) {
    law = green_law();
    law.worst->error = error;
    CHECK(judge_law(law).reason == "green, but its worst element is beyond its bound");
  }
  law = green_law();
  law.worst->bound = std::nan("");
  CHECK(judge_law(law).verdict == Verdict::broken);
  law.worst.reset();
  CHECK(judge_law(law).verdict == Verdict::green);
}

TEST_CASE("the loudest law decides, whatever the order: broken, red, vacuous, skipped, green", "[verdict]") {
  auto contradictory = green_law();
  contradictory.law = "law_b";
  contradictory.failures = 1;
  auto const red = law_with(Verdict::red, "law_a");
  auto const vacuous = law_with(Verdict::vacuous, "law_c");
  auto const skipped = law_with(Verdict::skipped, "law_d");
  auto const green = law_with(Verdict::green, "law_e");
  auto gate = program_gate();
  gate.laws.clear();
  auto const both_ways = [&](const LawEvidence& a, const LawEvidence& b, int code) {
    auto const one = verdict_of(gate, ended(code), told({a, b}));
    CHECK(one == verdict_of(gate, ended(code), told({b, a})));
    return one;
  };
  CHECK(both_ways(contradictory, red, 2) == Verdict::broken);
  CHECK(both_ways(red, vacuous, 2) == Verdict::red);
  CHECK(both_ways(red, green, 2) == Verdict::red);
  CHECK(both_ways(vacuous, skipped, 8) == Verdict::vacuous);
  CHECK(both_ways(skipped, green, 8) == Verdict::skipped);
  CHECK(both_ways(vacuous, green, 8) == Verdict::vacuous);
}

TEST_CASE("a foreign gate without evidence is judged by its exit code, and says so", "[verdict]") {
  auto const gate = shell_gate("g", "");
  CHECK(judge(gate, ended(0), nothing()).verdict == Verdict::green);
  CHECK(judge(gate, ended(0), nothing()).reason == "by its exit code only");
  for (int const code : {1, 2, 8, 125, 255}) CHECK(judge(gate, ended(code), nothing()).verdict == Verdict::red);
  CHECK(judge(gate, ended(3), nothing()).reason == "exit code 3");
}

TEST_CASE("a command that a shell did not find, or that was killed below it, is broken and not red", "[verdict]") {
  auto const gate = shell_gate("g", "");
  for (int const code : {126, 127, 129, 134, 137, 139, 192}) CHECK(judge(gate, ended(code), nothing()).verdict == Verdict::broken);
}

TEST_CASE("a foreign gate that promises laws, or leaves bad evidence, is held to it", "[verdict]") {
  auto gate = shell_gate("g", "");
  EvidenceReading bad;
  bad.broken = "evidence: no valid JSON";
  CHECK(judge(gate, ended(0), bad).verdict == Verdict::broken);
  CHECK(judge(gate, ended(0), told({red_law()})).verdict == Verdict::broken);
  CHECK(judge(gate, ended(2), told({red_law()})).verdict == Verdict::red);
  gate.laws = {"law_a"};
  CHECK(judge(gate, ended(0), nothing()).reason == "left no evidence, exit code 0");
}

TEST_CASE("the red law that tells most is furthest beyond its bound", "[verdict]") {
  GateResult result;
  CHECK(result.worst_law() == nullptr);
  auto far = law_with(Verdict::red, "far");
  far.worst->error = 50;
  auto infinite = law_with(Verdict::red, "infinite");
  infinite.worst->error = std::nan("");
  result.evidence.laws = {green_law(), law_with(Verdict::red, "near"), far};
  CHECK(result.worst_law()->law == "far");
  result.evidence.laws.push_back(infinite);
  CHECK(result.worst_law()->law == "infinite");
}

TEST_CASE("a green law whose margin is less than 2, or none, could not have shown the nearest mutant", "[verdict]") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (double const margin : {nan, 0.0, -8.0, 1.999, -std::numeric_limits<double>::infinity()}) {
    auto law = green_law();
    law.margin = margin;
    CHECK(judge_law(law).verdict == Verdict::vacuous);
    CHECK(judge(program_gate(), ended(0), told({law})).verdict == Verdict::vacuous);
  }
  for (double const margin : {2.0, 8.0, std::numeric_limits<double>::infinity()}) {
    auto law = green_law();
    law.margin = margin;
    CHECK(judge_law(law).verdict == Verdict::green);
  }
  auto law = red_law();
  law.margin = 0;
  CHECK(judge_law(law).verdict == Verdict::red);
}

TEST_CASE("evidence of a process in which a mutant was switched on is broken", "[verdict]") {
  auto reading = told({green_law()});
  reading.evidence->mutant = ActiveMutant{"store/kv_swap", 0};
  auto const judgement = judge(program_gate(), ended(0), reading);
  CHECK(judgement.verdict == Verdict::broken);
  CHECK(judgement.reason == "evidence: mutant: store/kv_swap was switched on in the process: it says nothing of the source");
}
