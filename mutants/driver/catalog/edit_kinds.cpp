#include "mutants/driver/catalog/edit_kinds.h"

namespace redproof::mutants {

std::span<const EditGrammar> edit_grammars() {
  static const std::vector<EditGrammar> table = {
      {EditKind::text, "text", {"find", "replace"}, {}, {}},
      {EditKind::swap_arguments, "swap_arguments", {"call", "first", "second"}, {}, {"within"}},
      {EditKind::replace_argument, "replace_argument", {"call", "with"}, {"index", "argument"}, {"within"}},
      {EditKind::replace_operand, "replace_operand", {"expression", "with"}, {}, {"operand", "within"}},
      {EditKind::replace_expression, "replace_expression", {"expression", "with"}, {}, {"within"}},
      {EditKind::drop_factor, "drop_factor", {"expression", "factor"}, {}, {"within"}},
      {EditKind::delete_statement, "delete_statement", {"statement"}, {}, {"within"}},
      {EditKind::move_statement, "move_statement", {"statement"}, {"before", "after"}, {"within"}},
      {EditKind::force_condition, "force_condition", {"condition", "value"}, {}, {"within"}},
      {EditKind::replace_operator, "replace_operator", {"expression", "with"}, {}, {"within"}},
      {EditKind::replace_literal, "replace_literal", {"literal", "with"}, {}, {"within"}},
      {EditKind::replace_name, "replace_name", {"name", "with"}, {}, {"within"}},
      {EditKind::narrow_type, "narrow_type", {"to"}, {"declaration", "expression"}, {"within"}},
  };
  return table;
}

}  // namespace redproof::mutants
