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
