// What a run of gates tells, in each format. Pure: text out, nothing written.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gates/runner/verdict.h"

namespace redproof::gates {

struct RunReport {
  std::vector<Gate> gates;          // that were to be run
  std::vector<GateResult> results;  // that ended, in the same order
  std::uint64_t seed = 1;
  std::optional<std::string> subject;
  bool interrupted = false;
};

// The loudest code: 8 for an empty set, 130 after an interrupt.
int exit_code_of(const RunReport& report);
const Gate* gate_of(const RunReport& report, const std::string& id);

// `N green, N red, ...`, whose sum is the number of results; then `gates: N of N green`. Each ends in a line feed.
std::string closing_lines(const RunReport& report);
// The lines of one gate as they are printed while a run goes on.
std::string human_lines(const GateResult& result);

std::string human_report(const RunReport& report);
std::string json_report(const RunReport& report);
std::string junit_report(const RunReport& report);
std::string github_report(const RunReport& report);

}  // namespace redproof::gates
