// Mutants of one function mostly die in the same law.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "mutants/driver/catalog/mutant.h"

namespace redproof::mutants {

// Which law went red last under a generated mutant of a function; shared by those that run side by side.
class LastKillers {
 public:
  // Of another function of the file where nothing is known of this one.
  std::optional<Red> of(const Mutant& mutant) const;
  void add(const Mutant& mutant, const Red& red);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Red> by_place_;  // a file, or a file and a function
};

}  // namespace redproof::mutants
