#include "tests/gates/sample_report.h"

#include <cmath>
#include <cstdlib>

#include "tests/gates/fixture.h"

namespace redproof::tests {

namespace {

using gates::GateResult;
using gates::Verdict;

GateResult result_of(const std::string& id, Verdict verdict, const std::string& reason, std::vector<gates::LawEvidence> laws) {
  GateResult result;
  result.id = id;
  result.verdict = verdict;
  result.reason = reason;
  result.seconds = 0.25;
  result.evidence.gate = id;
  result.evidence.laws = std::move(laws);
  result.process.exit_code = gates::exit_code_of(verdict);
  return result;
}

gates::LawEvidence hostile_red() {
  auto law = red_law();
  law.law = "law_<b>&\"quotes\"";
  law.failures = 7;
  law.worst = gates::WorstElement{"layer 1\n::error::injected", "x=\x1b[31m0x3f80", "0x3A", "0x38%", std::nan(""), 0.0};
  law.bound = "2^-4 * |x| + 2^-10 * scale";
  law.margin = HUGE_VAL;
  law.slack.reset();
  return law;
}

}  // namespace

gates::RunReport sample_report() {
  auto vacuous = green_law();
  vacuous.floors = {{"ties", 5}};
  auto skipped = green_law();
  skipped.verdict = Verdict::skipped;
  skipped.reason = "no AVX2";
  skipped.worst.reset();
  gates::RunReport report;
  report.seed = 7;
  report.results = {result_of("a_green", Verdict::green, "", {green_law()}),
                    result_of("b_red", Verdict::red, "law_a on cpu/avx2: 3 of 10 elements", {green_law(), red_law(), hostile_red()}),
                    result_of("c_vacuous", Verdict::vacuous, "law_a on cpu/avx2: 4 ties, at least 5 needed", {vacuous}),
                    result_of("d_skipped", Verdict::skipped, "law_a on cpu/avx2: no AVX2", {skipped}),
                    result_of("e_broken", Verdict::broken, "killed by signal 11 (SIGSEGV, Segmentation fault)", {}),
                    result_of("f_foreign", Verdict::green, "by its exit code only", {}),
                    result_of("g_attested", Verdict::attested, "", {green_law()}),
                    result_of("h_unattested", Verdict::unattested, "the fingerprint no longer holds", {}),
                    result_of("i_foreign_red", Verdict::red, "exit code 3", {})};
  report.results[4].process.signal = 11;
  report.results[4].process.exit_code = -1;
  report.results[4].process.output = "Assertion \x1b[1mfailed\x1b[0m\n]]></error>\n::error::injected\n";
  report.results[5].evidence.exit_code_only = true;
  report.results[8].evidence.exit_code_only = true;
  report.results[8].process.exit_code = 3;
  report.results[8].process.output = "2 tests failed\n";
  for (auto const& result : report.results) report.gates.push_back(shell_gate(result.id, ""));
  return report;
}

std::string baseline(const std::string& name, const std::string& text) {
  std::filesystem::path const path = std::filesystem::path(REDPROOF_ROOT) / "tests/gates/baselines" / name;
  std::string stored = slurp(path);
  if (std::getenv("REDPROOF_WRITE_BASELINES") != nullptr) write(path, text);
  return stored;
}

}  // namespace redproof::tests
