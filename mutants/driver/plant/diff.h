#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "mutants/driver/find/find.h"

namespace redproof::mutants {

// A unified diff with three lines of context; empty where the texts are equal.
std::string unified_diff(const std::string& path, std::string_view before, std::string_view after);
// Of all files of a mutant: a patch for `git apply` and `patch -p1`. Empty where nothing changes.
std::string patch_of(const std::vector<MutatedFile>& files);

}  // namespace redproof::mutants
