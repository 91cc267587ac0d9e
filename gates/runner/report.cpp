#include "gates/runner/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "gates/runner/exit_code.h"

namespace redproof::gates {

namespace {

std::size_t count_of(const RunReport& report, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(report.results.begin(), report.results.end(), [&](const GateResult& result) { return result.verdict == verdict; }));
}

}  // namespace

int exit_code_of(const RunReport& report) {
  int code = report.gates.empty() ? exit_no_evidence : exit_as_declared;
  if (report.interrupted) code = louder(code, exit_interrupted);
  for (auto const& result : report.results) code = louder(code, exit_code_of(result.verdict));
  return code;
}

const Gate* gate_of(const RunReport& report, const std::string& id) {
  auto const at = std::find_if(report.gates.begin(), report.gates.end(), [&](const Gate& gate) { return gate.id == id; });
  return at == report.gates.end() ? nullptr : &*at;
}

std::string closing_lines(const RunReport& report) {
  std::string tally;
  std::size_t green = 0;
  for (auto const verdict :
       {Verdict::green, Verdict::attested, Verdict::red, Verdict::vacuous, Verdict::skipped, Verdict::unattested, Verdict::broken}) {
    std::size_t const count = count_of(report, verdict);
    if (is_green(verdict)) green += count;
    bool const only_where_there = verdict == Verdict::attested || verdict == Verdict::unattested;
    if (count != 0 || !only_where_there) tally += fmt::format("{}{} {}", tally.empty() ? "" : ", ", count, word(verdict));
  }
  std::string const cut =
      report.interrupted ? fmt::format("interrupted: {} of {} gates ended\n", report.results.size(), report.gates.size()) : "";
  return fmt::format("{}{}\ngates: {} of {} green\n", cut, tally, green, report.gates.size());
}

}  // namespace redproof::gates
