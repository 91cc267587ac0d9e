// The grammar of edits: which keys each kind takes. The one table that the reader of catalogues and its documentation follow.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "mutants/driver/catalog/mutant.h"

namespace redproof::mutants {

struct EditGrammar {
  EditKind kind;
  std::string_view name;
  std::vector<std::string_view> required;
  std::vector<std::string_view> one_of;  // exactly one of these, where there are any
  std::vector<std::string_view> optional;
};

std::span<const EditGrammar> edit_grammars();

}  // namespace redproof::mutants
