// A function's syntax tree, free of libclang: kinds and byte ranges in its file.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
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
};

enum class ScopeKind { function, variable, record };

// What a lambda that stands in for a function's body captures.
struct Parameter {
  std::string name;
  bool copied = false;    // a scalar: captured by value, so that the function itself can keep it in a register
  bool is_moved = false;  // returning it by its name moves it, which a captured one does not do
  bool pack = false;
};

// A function definition as somebody sees it who puts other bodies beside its own.
struct FunctionShape {
  Range body;          // with its braces; empty where it has none of its own
  std::string result;  // the type as written; empty where it is deduced or cannot be written again
  bool is_void = false;
  bool is_main = false;
  bool has_this = false;
  bool is_constexpr = false;
  std::vector<Parameter> parameters;  // the named ones
  std::string why_not;                // why no other body can stand beside its own
};

// A function, a variable at namespace or class scope, or a record.
struct Scope {
  ScopeKind kind = ScopeKind::function;
  std::string name;         // qualified by namespaces and records
  std::string symbol;       // qualified by records only
  std::string signature;    // "(float, int)"; empty for what is no function
  TypeFacts result;         // of a function; none where it is deduced
  std::size_t line = 0;     // 1-based
  std::vector<Node> nodes;  // nodes[0] is the scope itself; empty where no tree was asked for
  FunctionShape shape;      // of a function with nodes
};

struct FileSyntax {
  std::string path;  // relative to the root
  std::string text;
  std::vector<Scope> scopes;
  std::string broken;  // why this is not the whole tree; then scopes mean nothing
};

}  // namespace redproof::mutants
