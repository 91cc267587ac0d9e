#include "mutants/driver/run/survivors.h"

#include "mutants/driver/run/trial.h"

namespace redproof::mutants {

bool Survivors::hold_back(const PlannedMutant& planned, Record& record) {
  if (!object_code_ || !planned.mutant.generated || record.outcome != Outcome::survived || planned.finding.files.size() != 1) return false;
  std::lock_guard const guard(mutex_);
  held_.emplace_back(&planned, std::move(record));
  return true;
}

void Survivors::compare(const std::filesystem::path& folder, const std::atomic<bool>& stop,
                        const std::function<void(Record, const PlannedMutant&)>& add) {
  for (std::size_t i = next_++; i < held_.size() && !stop; i = next_++) {
    auto& [planned, record] = held_[i];
    auto const code = object_code_->of(planned->finding.files.front(), folder);
    record.code = code.after;
    if (code.same()) set_outcome(record, {Outcome::equivalent, true, "the compiler makes the same code of it"});
    add(std::move(record), *planned);
  }
}

}  // namespace redproof::mutants
