#include "mutants/driver/report/scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "gates/runner/catalog.h"
#include "gates/runner/exit_code.h"
#include "mutants/driver/report/findings.h"

namespace redproof::mutants {
namespace {

// Of a generated mutant nothing was declared: only a law that goes red kills it.
void count(const Record& record, bool generated, Scores& scores) {
  switch (record.outcome) {
    case Outcome::killed:
      if (!generated) ++scores.by_named_law;
      [[fallthrough]];
    case Outcome::killed_by_build:
      ++scores.killed;
      break;
    case Outcome::crash:
    case Outcome::timeout:
    case Outcome::oom:
      ++(record.as_declared && !generated ? scores.killed : scores.ended_otherwise);
      break;
    case Outcome::wrong_gate:
    case Outcome::wrong_reason:
    case Outcome::collateral:
      ++scores.ended_otherwise;
      break;
    case Outcome::survived:
    case Outcome::not_reached:
      ++scores.alive;
      break;
    case Outcome::equivalent:
    case Outcome::duplicate:
    case Outcome::suppressed:
      ++scores.set_aside;
      break;
    case Outcome::stale:
    case Outcome::unviable:
    case Outcome::no_evidence:
    case Outcome::unproved:
      ++scores.undecided;
      break;
  }
}

bool is_red(const GateRecord& gate) { return gate.verdict == "red"; }

// Of one that was killed: by the build, or by a gate that runs before a merge.
bool is_seen_before_merge(const Record& record) {
  return record.outcome == Outcome::killed_by_build || std::any_of(record.gates.begin(), record.gates.end(), [](const GateRecord& gate) {
           return gate.stage != gates::word(gates::Stage::nightly) && (is_red(gate) || (gate.role == "red" && gate.verdict == "broken"));
         });
}

using Kills = std::map<std::string, std::set<std::string>>;  // mutants by gate

std::vector<std::string> killing_set_of(Kills left) {
  std::vector<std::string> chosen;
  while (true) {
    auto const most =
        std::max_element(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (most == left.end() || most->second.empty()) return chosen;
    chosen.push_back(most->first);
    auto const killed = most->second;
    for (auto& [gate, mutants] : left)
      for (const std::string& mutant : killed) mutants.erase(mutant);
  }
}

std::optional<double> percent(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::nullopt;
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::optional<double> Scores::killed_percent() const { return percent(killed, judged()); }
std::optional<double> Scores::by_named_law_percent() const { return names_laws ? percent(by_named_law, judged()) : std::nullopt; }
std::optional<double> Scores::before_merge_percent() const { return percent(before_merge, judged()); }

Scores scores_of(const RunReport& report) {
  Scores scores;
  std::set<std::string> ran, red, alive_code;
  Kills kills;
  auto const planned = planned_by_id(report);
  for (const Record& record : report.records) {
    std::size_t const killed_until_now = scores.killed;
    count(record, is_generated(record, planned), scores);
    if (scores.killed > killed_until_now && is_seen_before_merge(record)) ++scores.before_merge;
    for (const GateRecord& gate : record.gates) {
      // A witness is to stay green.
      if (gate.role != "witness") ran.insert(gate.gate);
      if (!is_red(gate)) continue;
      red.insert(gate.gate);
      if (record.outcome == Outcome::killed) kills[gate.gate].insert(record.id);
    }
    if (record.outcome == Outcome::killed && std::count_if(record.gates.begin(), record.gates.end(), is_red) == 1)
      scores.by_one_gate.push_back(record.id);
    if (record.outcome == Outcome::survived && !record.code.empty() && !alive_code.insert(record.code).second)
      scores.twins.push_back(record.id);
  }
  std::set_difference(ran.begin(), ran.end(), red.begin(), red.end(), std::back_inserter(scores.idle_gates));
  scores.names_laws =
      std::any_of(report.plan.mutants.begin(), report.plan.mutants.end(), [](const PlannedMutant& one) { return !one.mutant.generated; });
  scores.killing_set = killing_set_of(std::move(kills));
  scores.not_run = report.plan.mutants.size() - std::min(report.plan.mutants.size(), report.records.size());
  return scores;
}

void hold_to_threshold(double percent, RunReport& report) {
  auto const killed = scores_of(report).killed_percent();
  if (killed && *killed >= percent) return;
  report.notes.push_back(killed ? fmt::format("--threshold: {:.1f} % killed, below {} %", *killed, percent)
                                : std::string("--threshold: no mutant was judged"));
  report.exit_codes.push_back(killed ? gates::exit_threshold : gates::exit_no_evidence);
}

}  // namespace redproof::mutants
