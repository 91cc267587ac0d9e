#include <algorithm>

#include "mutants/driver/generate/families.h"

namespace redproof::mutants {
namespace {

bool is_loop(const Spot& spot) {
  return spot.node().kind == NodeKind::loop || spot.node().kind == NodeKind::for_loop || spot.node().kind == NodeKind::do_loop;
}

bool is_left_by_break(const Spot& spot) { return is_loop(spot) || spot.node().kind == NodeKind::switch_statement || is_lambda(spot); }

Spot body_of(const Spot& loop) {
  auto const children = children_of(loop);
  return loop.node().kind == NodeKind::do_loop ? children.front() : children.back();
}

}  // namespace

// An `if` or a loop is not deleted as a whole: its condition forced to false says the same.
void statement_deleted(const Spot& spot, Changes& changes) {
  if (!stands_as_statement(spot) || is_call(spot)) return;
  const Node& node = spot.node();
  bool const changes_something = node.form == Form::assignment || node.form == Form::throw_expression || node.form == Form::range_for ||
                                 node.kind == NodeKind::conditional || (node.kind == NodeKind::call && !node.op.empty()) ||
                                 (node.form == Form::unary && (node.op == "++" || node.op == "--"));
  if (changes_something) changes.push_back({statement_of(spot), ";"});
}

void call_removed(const Spot& spot, Changes& changes) {
  if (is_call(spot) && stands_as_statement(spot)) changes.push_back({statement_of(spot), ";"});
}

void jump(const Spot& spot, Changes& changes) {
  bool const is_break = spot.node().form == Form::break_statement;
  if (!is_break && spot.node().form != Form::continue_statement) return;
  if (!is_break) return changes.push_back({spot.range(), "break"});
  auto const left = ancestor(spot, is_left_by_break);
  if (!left) return;
  if (is_loop(*left)) return changes.push_back({spot.range(), "continue"});
  changes.push_back({statement_of(spot), ";"});  // falls through
}

void loop_bound(const Spot& spot, Changes& changes) {
  if (spot.node().kind != NodeKind::for_loop) return;
  auto const condition = condition_of(spot);
  if (!condition || condition->node().form != Form::binary) return;
  auto const operands = operands_of(*condition);
  const std::string& op = condition->node().op;
  if (!operands || !is_integer(operands->right.converted())) return;
  std::string bound(operands->right.text());
  if (operands->right.node().op == "<<" || operands->right.node().op == ">>") bound = "(" + bound + ")";
  if (op == "<" || op == "<=" || op == "!=") changes.push_back({operands->right.range(), bound + " - 1"});
  if (op == ">" || op == ">=") changes.push_back({operands->right.range(), bound + " + 1"});
}

void loop_once(const Spot& spot, Changes& changes) {
  if (!is_loop(spot) || spot.node().children.empty()) return;
  Range const body = body_of(spot).range();
  if (body_of(spot).node().kind == NodeKind::compound) {
    Range const brace{body.end - 1, body.end};
    return changes.push_back({brace, " break; }"});
  }
  Range const statement = statement_of(body_of(spot));
  if (spot.node().kind == NodeKind::do_loop) return;
  changes.push_back({statement, "{ " + std::string(spot.tree->text(statement)) + " break; }"});
}

}  // namespace redproof::mutants
