#include "mutants/driver/run/doubt.h"

#include <fmt/format.h>

#include <algorithm>

#include "mutants/driver/judge/judge.h"

namespace redproof::mutants {
namespace {

bool was_green(const GateRecord& gate) { return gate.verdict == gates::word(gates::Verdict::green); }

bool was_run(const Record& record) { return !record.reused && (record.build.ran || !record.gates.empty()); }

}  // namespace

void Doubts::note(const Record& record, std::set<std::string>& gates) const {
  for (const GateRecord& gate : record.gates)
    if (!was_green(gate)) gates.insert(gate.gate);
}

void Doubts::compare(const GateResults& closing, const Pristine& pristine) {
  std::lock_guard const guard(mutex_);
  for (const auto& [id, result] : closing) {
    std::string why;
    if (is_green_as_before(result, *pristine.find(id), why)) continue;
    doubts_.push_back({id, Outcome::unproved, "after the run, without any mutant, " + why});
  }
}

void Doubts::add(Outcome outcome, const std::string& why) {
  std::lock_guard const guard(mutex_);
  doubts_.push_back({{}, outcome, why});
}

const Doubts::Doubt* Doubts::of(const Record& record) const {
  auto const rests_on = [&](const Doubt& doubt) {
    return doubt.gate.empty() || std::any_of(record.gates.begin(), record.gates.end(),
                                             [&](const GateRecord& gate) { return gate.gate == doubt.gate && !was_green(gate); });
  };
  auto const found = std::find_if(doubts_.begin(), doubts_.end(), rests_on);
  return found == doubts_.end() ? nullptr : &*found;
}

bool Doubts::apply(std::vector<Record>& records) const {
  std::lock_guard const guard(mutex_);
  bool changed = false;
  for (Record& record : records) {
    const Doubt* const doubt = was_run(record) ? of(record) : nullptr;
    if (doubt == nullptr) continue;
    set_outcome(record, doubt->outcome, false, fmt::format("it was {}, but {}", word(record.outcome), doubt->why));
    changed = true;
  }
  return changed;
}

}  // namespace redproof::mutants
