// The scopes of a file with their syntax trees, free of libclang.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "mutants/driver/find/node.h"

namespace redproof::mutants {

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
  bool on_host = true;  // code of CUDA may run on the host, on a device, or on both
  bool on_device = false;
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
  std::string broken;    // why this is not the whole tree; then scopes mean nothing
  bool is_cuda = false;  // read as a compiler of CUDA reads it
};

}  // namespace redproof::mutants
