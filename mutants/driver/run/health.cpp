#include "mutants/driver/run/health.h"

#include <fmt/format.h>

#include <algorithm>

namespace redproof::mutants {

std::set<std::string> broken_gates(const Record& record) {
  std::set<std::string> broken;
  for (const GateRecord& gate : record.gates)
    if (gate.verdict == gates::word(gates::Verdict::broken)) broken.insert(gate.gate);
  return broken;
}

std::string lack_of_memory(const GateResults& pristine, std::optional<std::uint64_t> available_bytes) {
  std::uint64_t most = 0;
  for (const auto& [id, result] : pristine) most = std::max(most, result.process.peak_rss_bytes);
  if (!available_bytes || *available_bytes >= most) return {};
  return fmt::format("{} MiB of memory are available, and a gate took {} on the pristine tree", *available_bytes >> 20, most >> 20);
}

}  // namespace redproof::mutants
