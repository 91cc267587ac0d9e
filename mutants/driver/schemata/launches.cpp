#include "mutants/driver/schemata/launches.h"

#include <set>

namespace redproof::mutants {
namespace {

// `kernel<<<grid, block>>>(...)` holds the call that sets its sizes; the others are functions of the runtime.
bool launches(const Node& node) {
  return node.kind == NodeKind::call &&
         (node.name == "__cudaPushCallConfiguration" || node.name == "cudaConfigureCall" || node.name.starts_with("cudaLaunch"));
}

bool holds_statements(const Node& node, const FileSyntax& file) {
  return node.kind == NodeKind::label || (node.kind == NodeKind::compound && file.text[node.range.begin] == '{');
}

// The outermost node below the nearest block: before it something may stand.
const Node& statement_of(const Scope& scope, const FileSyntax& file, const Node& node) {
  const Node* inner = &node;
  while (inner->parent >= 0) {
    const Node& outer = scope.nodes[static_cast<std::size_t>(inner->parent)];
    if (holds_statements(outer, file)) break;
    inner = &outer;
  }
  return *inner;
}

}  // namespace

std::vector<Replacement> arms_of(const Scope& scope, const FileSyntax& file) {
  std::vector<Replacement> arms;
  if (!scope.shape.on_host) return arms;
  std::set<std::size_t> places;
  for (const Node& node : scope.nodes)
    if (launches(node)) places.insert(statement_of(scope, file, node).range.begin);
  Range const body = scope.shape.body;
  for (std::size_t const place : places)
    if (place > body.begin && place < body.end) arms.push_back({{place, place}, "::redproof_schemata_arm();"});
  return arms;
}

}  // namespace redproof::mutants
