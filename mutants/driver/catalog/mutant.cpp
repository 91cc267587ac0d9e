#include "mutants/driver/catalog/mutant.h"

#include <algorithm>

#include "mutants/driver/catalog/edit_kinds.h"

namespace redproof::mutants {

const std::string& Edit::word(const std::string& key) const {
  static const std::string absent;
  auto const found = words.find(key);
  return found == words.end() ? absent : found->second;
}

std::vector<std::string> Mutant::gates() const {
  std::vector<std::string> names;
  auto const add = [&](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const Red& red : reds) add(red.gate);
  for (const std::string& gate : keeps_green) add(gate);
  add(witness.gate);
  return names;
}

std::string_view word(EditKind kind) {
  for (const EditGrammar& grammar : edit_grammars())
    if (grammar.kind == kind) return grammar.name;
  return "text";
}

std::string_view word(Expectation expects) {
  switch (expects) {
    case Expectation::crash:
      return "crash";
    case Expectation::timeout:
      return "timeout";
    case Expectation::oom:
      return "oom";
    case Expectation::law:
      break;
  }
  return "law";
}

}  // namespace redproof::mutants
