#include "mutants/driver/run/doubt.h"

#include <fmt/format.h>

#include <algorithm>

#include "mutants/driver/judge/judge.h"
#include "mutants/driver/judge/repeat.h"

namespace redproof::mutants {
namespace {

bool was_green(const GateRecord& gate) { return gate.verdict == gates::word(gates::Verdict::green); }

bool was_run(const Record& record) { return !record.reused && !record.cached && (record.build.ran || !record.gates.empty()); }

}  // namespace

void Doubts::note(const Record& record, std::set<std::string>& gates) const {
  for (const GateRecord& gate : record.gates)
    if (!was_green(gate)) gates.insert(gate.gate);
}

std::string Doubts::compare(const GateResults& closing, const Pristine& pristine, const std::string& when) {
  std::lock_guard const guard(mutex_);
  std::string first;
  for (const auto& [id, result] : closing) {
    std::string why;
    if (!is_green_as_before(result, *pristine.find(id), why)) {
      doubts_.push_back({id, Outcome::unproved, fmt::format("{}, without any mutant, {}", when, why)});
      if (first.empty()) first = doubts_.back().why;
    } else if (why = difference(*pristine.find(id), result); !why.empty()) {
      wavering_.emplace(id, why);
    }
  }
  return first;
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

const std::string* Doubts::wavering_gate_of(const Record& record) const {
  for (const GateRecord& gate : record.gates)
    if (auto const found = wavering_.find(gate.gate); found != wavering_.end() && !was_green(gate)) return &found->second;
  return nullptr;
}

bool Doubts::has_to_be_confirmed(const Record& record) const {
  std::lock_guard const guard(mutex_);
  return was_run(record) && of(record) == nullptr && wavering_gate_of(record) != nullptr;
}

std::vector<std::vector<const PlannedMutant*>> Doubts::to_confirm(const std::vector<const PlannedMutant*>& todo,
                                                                  const std::vector<Record>& records,
                                                                  const std::map<std::string, std::size_t>& judged_by,
                                                                  std::size_t count) const {
  std::vector<std::vector<const PlannedMutant*>> lists(count);
  for (const PlannedMutant* planned : todo) {
    auto const record = std::find_if(records.begin(), records.end(),
                                     [&](const Record& one) { return one.id == planned->mutant.id && has_to_be_confirmed(one); });
    if (record != records.end()) lists[(judged_by.at(record->id) + 1) % count].push_back(planned);
  }
  return lists;
}

void Doubts::confirm(const Record& again, bool on_another_worker) {
  std::lock_guard const guard(mutex_);
  repeats_.insert_or_assign(again.id, Repeat{again, on_another_worker});
}

bool Doubts::apply_repeat(Record& record) const {
  const std::string* const why = wavering_gate_of(record);
  if (why == nullptr) return false;
  std::string const doubt = fmt::format("it was {}, but the gate is not deterministic ({})", word(record.outcome), *why);
  auto const found = repeats_.find(record.id);
  if (found == repeats_.end()) {
    set_outcome(record, {Outcome::unproved, false, doubt + ", and it was not run once more"});
    return true;
  }
  const auto& [again, elsewhere] = found->second;
  std::string const ending =
      again.reason.empty() ? std::string(word(again.outcome)) : fmt::format("{}: {}", word(again.outcome), again.reason);
  record.attempts.push_back({elsewhere ? "the mutant on another worker" : "the mutant", false, 0, again.seconds, false, ending});
  if (again.outcome != record.outcome || again.as_declared != record.as_declared)
    set_outcome(record, {Outcome::unproved, false, fmt::format("{}, and when it was run once more it was {}", doubt, ending)});
  return true;
}

bool Doubts::apply(std::vector<Record>& records) const {
  std::lock_guard const guard(mutex_);
  bool changed = false;
  for (Record& record : records) {
    const Doubt* const doubt = was_run(record) ? of(record) : nullptr;
    if (doubt != nullptr) set_outcome(record, {doubt->outcome, false, fmt::format("it was {}, but {}", word(record.outcome), doubt->why)});
    changed = doubt != nullptr || (was_run(record) && apply_repeat(record)) || changed;
  }
  return changed;
}

}  // namespace redproof::mutants
