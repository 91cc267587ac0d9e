#include <algorithm>
#include <array>

#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/families.h"
#include "mutants/driver/generate/words.h"

namespace redproof::mutants {
namespace {

constexpr std::array<WordPair, 5> arithmetic_pairs = {{{"+", "-"}, {"-", "+"}, {"*", "/"}, {"/", "*"}, {"%", "*"}}};
constexpr std::array<WordPair, 2> shift_pairs = {{{"<<", ">>"}, {">>", "<<"}}};
constexpr std::array<WordPair, 10> assignment_pairs = {{{"+=", "-="},
                                                        {"-=", "+="},
                                                        {"*=", "/="},
                                                        {"/=", "*="},
                                                        {"%=", "*="},
                                                        {"<<=", ">>="},
                                                        {">>=", "<<="},
                                                        {"&=", "^="},
                                                        {"|=", "^="},
                                                        {"^=", "|="}}};

// Of pointers only a pointer and a number can be exchanged between `+` and `-`.
bool can_replace(const Operands& operands, std::string_view to) {
  const TypeFacts& left = operands.left.converted();
  const TypeFacts& right = operands.right.converted();
  if (to == "-") return (may_count(left) || left.type_class == TypeClass::pointer) && may_count(right);
  return may_count(left) && may_count(right);
}

// What a `for` does between two turns: its sign decides whether the loop ends.
bool steps_a_loop(const Spot& spot) {
  auto const parent = parent_of(spot);
  return parent && parent->node().kind == NodeKind::for_loop && !stands_as_statement(spot);
}

bool is_signed(const TypeFacts& type) { return type.type_class == TypeClass::signed_integer || type.type_class == TypeClass::floating; }

bool is_passed_on(const Spot& spot) {
  auto const parent = parent_of(spot);
  return parent && (parent->node().form == Form::binary || parent->node().form == Form::assignment ||
                    parent->node().kind == NodeKind::call || parent->node().form == Form::return_statement);
}

}  // namespace

void arithmetic(const Spot& spot, Changes& changes) {
  std::string_view const to = counterpart(arithmetic_pairs, spot.node().op);
  if (spot.node().form != Form::binary || to.empty()) return;
  auto const operands = operands_of(spot);
  if (operands && can_replace(*operands, to)) changes.push_back({operands->mark, std::string(to)});
}

void shift(const Spot& spot, Changes& changes) {
  std::string_view const to = counterpart(shift_pairs, spot.node().op);
  if (spot.node().form != Form::binary || to.empty()) return;
  auto const operands = operands_of(spot);
  if (!operands || !may_count(operands->left.converted())) return;
  changes.push_back({operands->mark, std::string(to)});
  changes.push_back({spot.range(), std::string(operands->left.text())});
}

void assignment(const Spot& spot, Changes& changes) {
  std::string_view const to = counterpart(assignment_pairs, spot.node().op);
  if (spot.node().form != Form::assignment || to.empty() || steps_a_loop(spot)) return;
  auto const operands = operands_of(spot);
  if (!operands) return;
  changes.push_back({operands->mark, std::string(to)});
  bool const pointer = operands->left.node().type.type_class == TypeClass::pointer;
  if (!pointer) changes.push_back({operands->mark, "="});
}

void increment(const Spot& spot, Changes& changes) {
  const std::string& op = spot.node().op;
  if (spot.node().form != Form::unary || (op != "++" && op != "--") || steps_a_loop(spot)) return;
  Range const range = spot.range();
  bool const prefix = spot.text().starts_with(op);
  Range const mark = prefix ? Range{range.begin, range.begin + 2} : Range{range.end - 2, range.end};
  changes.push_back({mark, op == "++" ? "--" : "++"});
  if (!stands_as_statement(spot)) changes.push_back({mark, ""});
}

void unary_dropped(const Spot& spot, Changes& changes) {
  const std::string& op = spot.node().op;
  if (spot.node().form != Form::unary || (op != "!" && op != "-" && op != "~") || spot.node().children.empty()) return;
  // A rewritten `a != b` looks like the negation of `a == b`.
  Token const mark = token_at(spot.tree->file->text, spot.range().begin);
  if (spot.tree->text({mark.begin, mark.end}) != op) return;
  auto const operand = children_of(spot).front();
  changes.push_back({spot.range(), std::string(operand.text())});
}

void unary_inserted(const Spot& spot, Changes& changes) {
  bool const name = spot.node().form == Form::name || spot.node().form == Form::member;
  if (!name || !spot.is_value() || !is_passed_on(spot)) return;
  const TypeFacts& type = spot.node().type;
  std::string const text(spot.text());
  if (is_signed(type)) changes.push_back({spot.range(), "(-" + text + ")"});
  if (type.type_class == TypeClass::boolean) changes.push_back({spot.range(), "!" + text});
  if (type.type_class == TypeClass::unsigned_integer) changes.push_back({spot.range(), "(~" + text + ")"});
}

}  // namespace redproof::mutants
