// The operators by name: what each changes at one place of the tree.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "mutants/driver/generate/spot.h"

namespace redproof::mutants {

struct Change {
  Range range;  // bytes of the file
  std::string text;
  std::size_t also_at = 0;  // where a second statement that it changes begins
};

using Changes = std::vector<Change>;

struct Operator {
  std::string_view name;         // stable: in ids, in reports, on the command line
  std::string_view description;  // one line
  bool by_default;
  void (*make)(const Spot& spot, Changes& changes);
};

// In the order in which they claim a change: of two operators that make the same one, the first has it.
const std::vector<Operator>& operators();
// Empty: those of the default set; "all"; names. Throws gates::Refusal naming one that is not there.
std::vector<const Operator*> chosen_operators(const std::vector<std::string>& names);

}  // namespace redproof::mutants
