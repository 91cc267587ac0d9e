// Where in its file a mutant changes something, as reports for editors and browsers count it.
#pragma once
#include <cstddef>
#include <string>

#include "mutants/driver/find/find.h"

namespace redproof::mutants {

// Lines and columns from 1; columns in UTF-16 units, as JavaScript and SARIF count; the end is behind the last changed character.
struct Place {
  std::size_t first_line = 1, first_column = 1;
  std::size_t last_line = 1, last_column = 1;
  std::string replacement;
};

// From the first byte that differs to the last.
Place place_of(const MutatedFile& file);

}  // namespace redproof::mutants
