#include <array>
#include <initializer_list>

#include "mutants/driver/generate/families.h"

namespace redproof::mutants {
namespace {

struct Row {
  std::string_view from;
  std::array<std::string_view, 2> to;
  std::string_view whole;  // what the comparison becomes as a whole
};

// Three of seven suffice: what kills these kills the other four.
constexpr std::array<Row, 6> integers = {{{"<", {"<=", "!="}, "false"},
                                          {">", {">=", "!="}, "false"},
                                          {"<=", {"<", "=="}, "true"},
                                          {">=", {">", "=="}, "true"},
                                          {"==", {"<=", ">="}, "false"},
                                          {"!=", {"<", ">"}, "true"}}};
// Where equality by chance is rare the opposite order tells more than `!=`; the boundary stays, since codes lie on it.
constexpr std::array<Row, 6> floats = {{{"<", {"<=", ">"}, "false"},
                                        {">", {">=", "<"}, "false"},
                                        {"<=", {"<", ">"}, "true"},
                                        {">=", {">", "<"}, "true"},
                                        {"==", {"<=", ">="}, "false"},
                                        {"!=", {"<", ">"}, "true"}}};
// Without an order that means anything: bool, enumerations, null pointers, records.
constexpr std::array<Row, 6> unordered = {{{"<", {"<=", ""}, "false"},
                                           {">", {">=", ""}, "false"},
                                           {"<=", {"<", ""}, "true"},
                                           {">=", {">", ""}, "true"},
                                           {"==", {"!=", ""}, "false"},
                                           {"!=", {"==", ""}, "true"}}};

bool has_no_order(const TypeFacts& type) { return type.type_class == TypeClass::boolean || type.type_class == TypeClass::enumeration; }

const std::array<Row, 6>& rows_of(const Spot& comparison, const Operands& operands) {
  if (comparison.node().kind == NodeKind::call) return unordered;
  const TypeFacts& left = operands.left.converted();
  const TypeFacts& right = operands.right.converted();
  // Both are promoted to int.
  if (has_no_order(operands.left.node().type) && has_no_order(operands.right.node().type)) return unordered;
  if (left.type_class == TypeClass::floating || right.type_class == TypeClass::floating) return floats;
  bool const dependent = left.type_class == TypeClass::dependent || right.type_class == TypeClass::dependent;
  return is_integer(left) || dependent ? integers : unordered;
}

void replace_by_side(const Spot& spot, const Operands& operands, Changes& changes) {
  changes.push_back({spot.range(), std::string(operands.left.text())});
  changes.push_back({spot.range(), std::string(operands.right.text())});
}

// `i < n` of `for (...; i < n; ++i)`: `!=` ends it at the same count.
bool counts_up(const Spot& spot, const Operands& operands) {
  auto const loop = parent_of(spot);
  if (spot.node().op != "<" || !loop || loop->node().kind != NodeKind::for_loop) return false;
  auto const condition = condition_of(*loop);
  std::string const step = "++" + std::string(operands.left.text());
  return condition && condition->range().begin == spot.range().begin && loop->text().find(step) != std::string_view::npos;
}

}  // namespace

void relational(const Spot& spot, Changes& changes) {
  bool const call = spot.node().kind == NodeKind::call;
  if (spot.node().form != Form::binary && !call) return;
  auto const operands = operands_of(spot);
  if (!operands) return;
  for (const Row& row : rows_of(spot, *operands)) {
    if (row.from != spot.tree->text(operands->mark)) continue;
    for (std::string_view const to : row.to)
      if (!to.empty() && !(to == "!=" && counts_up(spot, *operands))) changes.push_back({operands->mark, std::string(to)});
    changes.push_back({spot.range(), std::string(row.whole)});
  }
}

// The exchange of one for the other is killed by whatever kills both sides alone.
void logical(const Spot& spot, Changes& changes) {
  if (spot.node().form != Form::binary || (spot.node().op != "&&" && spot.node().op != "||")) return;
  auto const operands = operands_of(spot);
  if (!operands) return;
  replace_by_side(spot, *operands, changes);
  changes.push_back({spot.range(), spot.node().op == "&&" ? "false" : "true"});
}

void bitwise(const Spot& spot, Changes& changes) {
  const std::string& op = spot.node().op;
  if (spot.node().form != Form::binary || (op != "&" && op != "|" && op != "^")) return;
  auto const operands = operands_of(spot);
  if (!operands) return;
  changes.push_back({operands->mark, op == "^" ? "|" : "^"});
  replace_by_side(spot, *operands, changes);
}

// A loop that never ends shows nothing but a timeout, so loops are only forced to stop.
void condition_forced(const Spot& spot, Changes& changes) {
  auto const condition = condition_of(spot);
  if (!condition || condition->node().kind == NodeKind::literal) return;
  bool const loops = spot.node().kind != NodeKind::if_statement && spot.node().kind != NodeKind::conditional;
  if (!loops) changes.push_back({condition->range(), "true"});
  changes.push_back({condition->range(), "false"});
}

}  // namespace redproof::mutants
