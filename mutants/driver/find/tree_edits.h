#pragma once
#include <vector>

#include "mutants/driver/find/edits.h"

namespace redproof::mutants {

// One edit inside its site, whatever its kind (not text). Throws Stale.
std::vector<Replacement> tree_edit(const Edit& edit, const Site& site);

}  // namespace redproof::mutants
