#include "mutants/driver/run/last_killers.h"

namespace redproof::mutants {
namespace {

std::string place_of(const Edit& edit) { return edit.file + '\0' + edit.function + edit.signature; }

}  // namespace

std::optional<Red> LastKillers::of(const Mutant& mutant) const {
  std::lock_guard const guard(mutex_);
  const Edit& edit = mutant.edits.front();
  auto found = by_place_.find(place_of(edit));
  if (found == by_place_.end()) found = by_place_.find(edit.file);
  return found == by_place_.end() ? std::nullopt : std::optional(found->second);
}

void LastKillers::add(const Mutant& mutant, const Red& red) {
  std::lock_guard const guard(mutex_);
  const Edit& edit = mutant.edits.front();
  by_place_[place_of(edit)] = by_place_[edit.file] = red;
}

}  // namespace redproof::mutants
