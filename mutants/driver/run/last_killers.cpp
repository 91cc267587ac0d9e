#include "mutants/driver/run/last_killers.h"

namespace redproof::mutants {

std::optional<Red> LastKillers::of(const std::string& file, const std::string& function) const {
  std::lock_guard const guard(mutex_);
  auto found = by_place_.find({file, function});
  if (found == by_place_.end()) found = by_place_.find({file, {}});
  return found == by_place_.end() ? std::nullopt : std::optional(found->second);
}

void LastKillers::add(const std::string& file, const std::string& function, const Red& red) {
  std::lock_guard const guard(mutex_);
  by_place_[{file, function}] = by_place_[{file, {}}] = red;
}

}  // namespace redproof::mutants
