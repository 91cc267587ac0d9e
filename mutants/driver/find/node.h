// One node of a syntax tree, free of libclang: its kind, its byte range and what is known about it.
#pragma once
#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace redproof::mutants {

enum class NodeKind {
  compound,
  if_statement,
  loop,      // while, range for
  for_loop,  // its body is the last child
  do_loop,   // its body is the first child
  switch_statement,
  label,  // case, default, label
  declaration_statement,
  other_statement,
  call,
  braced_list,
  conditional,
  literal,
  expression,
  declaration,  // a variable, a field, a parameter
  other,
};

// What the grammar says beyond the kind.
enum class Form {
  other,
  binary,
  assignment,  // plain and compound
  unary,
  subscript,
  name,    // of a variable, a parameter, a function, an enumerator
  member,  // a.b, a->b; b alone inside a class
  cast,    // static_cast<T>(e), T(e), (T)e
  implicit,
  construction,  // of an object; also where nothing is written
  throw_expression,
  return_statement,
  break_statement,
  continue_statement,
  range_for,
  while_loop,
};

enum class TypeClass {
  none,
  boolean,
  signed_integer,
  unsigned_integer,
  floating,
  enumeration,
  pointer,
  void_type,
  record,
  dependent,
  other
};

// A type without its reference and its outermost const.
struct TypeFacts {
  TypeClass type_class = TypeClass::none;
  unsigned bits = 0;  // of integers and floating-point numbers
  bool is_const = false;
  bool is_reference = false;
  std::string spelling;  // canonical: equal exactly where the types are
};

struct Range {
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
  auto operator<=>(const Range&) const = default;
};

struct Node {
  NodeKind kind = NodeKind::other;
  Range range;
  std::size_t name_at = 0;  // of a declaration: where the name stands
  int parent = -1;
  std::vector<int> children;
  std::vector<Range> arguments;  // of a call or a braced list
  Form form = Form::other;
  std::string op;                     // as written: "<=", "+=", "!"; "++" and "--" on either side
  TypeFacts type;                     // of an expression, after conversions; of what is declared
  std::string name;                   // what is named, called or declared
  std::string qualified;              // the same, from the global namespace on
  std::vector<std::string> siblings;  // fields or enumerators of the same type beside the one named
  bool is_constant = false;           // must be known at compile time, or is never evaluated
  bool from_macro = false;            // written, at least in part, in a macro's body
  bool has_default = false;           // of a returned value: `{}` makes one
  bool keeps_object = false;          // a call of a member function that is const or static
  bool never_returns = false;         // a call, as what is called declares
};

}  // namespace redproof::mutants
