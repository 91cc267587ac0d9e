// One place of a scope as an operator looks at it: the expression as written, and what it is converted to.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

// A scope with the text of its file.
struct Tree {
  const FileSyntax* file;
  const Scope* scope;

  std::string_view text(Range range) const { return std::string_view(file->text).substr(range.begin, range.end - range.begin); }
  const Node& at(int index) const { return scope->nodes[static_cast<std::size_t>(index)]; }
};

// libclang wraps an expression in its conversions, all with the same range: `outer` is the last of them, `inner` what is written.
struct Spot {
  const Tree* tree;
  int outer;
  int inner;

  const Node& node() const { return tree->at(inner); }
  const TypeFacts& converted() const { return tree->at(outer).type; }
  Range range() const { return node().range; }
  std::string_view text() const { return tree->text(range()); }
  bool is_value() const { return outer != inner; }  // read, not assigned, bound or addressed
};

struct Operands {
  Spot left, right;
  Range mark;  // of the operator between them
};

// The spot that a node belongs to.
Spot spot_at(const Tree& tree, int index);
// Every spot of a scope, once, in the order of the tree.
std::vector<Spot> spots_of(const Tree& tree);
std::optional<Spot> parent_of(const Spot& spot);
// The nearest one above that `test` admits.
std::optional<Spot> ancestor(const Spot& spot, const std::function<bool(const Spot&)>& test);
std::vector<Spot> children_of(const Spot& spot);
// Parentheses around an expression taken off.
Spot unwrapped(Spot spot);

// Of a binary operator or an assignment, built in or overloaded; nothing where the operator is not between them.
std::optional<Operands> operands_of(const Spot& spot);
// The arguments of a call or braced list as spots, where each has one.
std::vector<Spot> arguments_of(const Spot& spot);
bool is_call(const Spot& spot);  // of a function, not of an operator or constructor
bool stands_as_statement(const Spot& spot);
Range statement_of(const Spot& spot);  // with its `;`
// What an `if`, a loop or `?:` tests; nothing where it declares a variable there.
std::optional<Spot> condition_of(const Spot& spot);
bool is_lambda(const Spot& spot);
std::string summand(const Spot& spot);  // as it can be added to

bool is_integer(const TypeFacts& type);
bool may_count(const TypeFacts& type);  // numbers, and what a template may make one
bool is_number(const TypeFacts& type);  // integers and floating point, not bool
bool is_scalar(const TypeFacts& type);  // those, bool, enumerations and pointers

}  // namespace redproof::mutants
