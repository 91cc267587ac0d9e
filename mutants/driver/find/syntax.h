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

// A function, a variable at namespace or class scope, or a record.
struct Scope {
  ScopeKind kind = ScopeKind::function;
  std::string name;         // qualified by namespaces and records
  std::string symbol;       // qualified by records only
  std::string signature;    // "(float, int)"; empty for what is no function
  std::size_t line = 0;     // 1-based
  std::vector<Node> nodes;  // nodes[0] is the scope itself; empty where no tree was asked for
};

struct FileSyntax {
  std::string path;  // relative to the root
  std::string text;
  std::vector<Scope> scopes;
  std::string broken;  // why this is not the whole tree; then scopes mean nothing
};

}  // namespace redproof::mutants
