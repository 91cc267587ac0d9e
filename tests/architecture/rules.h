#pragma once
#include <vector>

#include "tests/architecture/tree.h"

namespace redproof::tests {

// Which room may include which: the table of rooms in design.md, as rows.
std::vector<Finding> closed_doors(Tree const& tree);

// Where a heavy or foreign header may be included at all.
std::vector<Finding> misplaced_headers(Tree const& tree);

// engine/types holds plain structs and enums.
std::vector<Finding> bodies_in_types(Tree const& tree);

// Each source of a room that judges others has a test of its name.
std::vector<Finding> sources_without_mirror(Tree const& tree);

// Files, headers and documents over their number of lines; headers (other than the tests') with a body of more than one statement.
std::vector<Finding> oversized(Tree const& tree);

// Laws, gates and mutants name each other, and every gate stands alone against one mutant or says why it is kept.
std::vector<Finding> loose_names(Tree const& tree);

}  // namespace redproof::tests
