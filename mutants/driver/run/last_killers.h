// Mutants of one function mostly die in the same law.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "mutants/driver/catalog/mutant.h"

namespace redproof::mutants {

// Which law went red last under a generated mutant of a function; shared by those that run side by side.
class LastKillers {
 public:
  // Of another function of the file where nothing is known of this one.
  std::optional<Red> of(const std::string& file, const std::string& function) const;
  void add(const std::string& file, const std::string& function, const Red& red);

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Red> by_place_;  // file and function; a file and nothing for all of it
};

}  // namespace redproof::mutants
