// Names of generated mutants that stay when lines move, and what is said about them.
#pragma once
#include <map>
#include <string>
#include <utility>

#include "mutants/driver/generate/operators.h"

namespace redproof::mutants {

// Without what is the same at both ends, so that equal mutants are equal changes.
Change trimmed(const Tree& tree, const Change& change);

// Of one file.
class Identities {
 public:
  // Everything that an id stands for, less the places: operator, file, function, the spot's tokens, which of them change, into what, and
  // which of several equal ones this is.
  std::string next(std::string_view operator_name, const Spot& spot, const Change& change);

 private:
  std::map<std::string, int> ordinals_;
};

// OPERATOR/HASH of what `next` said.
std::string id_of(std::string_view operator_name, const std::string& identity);
// Line and column, both from 1, the column in bytes.
std::pair<std::size_t, std::size_t> place_of(std::string_view source, std::size_t at);
// "`<` becomes `<=` in store_kv (engine/kv/store_cpu.cpp:33:12)"
std::string defect_of(const Spot& spot, const Change& change);

}  // namespace redproof::mutants
