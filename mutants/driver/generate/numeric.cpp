#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/accesses.h"
#include "mutants/driver/generate/families.h"
#include "mutants/driver/generate/words.h"

namespace redproof::mutants {
namespace {

// The operand of a cast in its own brackets, which T{e} lacks.
std::string operand_text(const Spot& operand) {
  std::string const text(operand.text());
  bool const bare = operand.node().form == Form::name || operand.node().form == Form::member || operand.node().kind == NodeKind::literal ||
                    operand.node().kind == NodeKind::call || text.starts_with("(");
  return bare ? text : "(" + text + ")";
}

std::optional<Spot> cast_operand(const Spot& spot) {
  if (spot.node().form != Form::cast || spot.node().children.empty()) return std::nullopt;
  Spot operand = children_of(spot).back();
  if (operand.node().kind == NodeKind::braced_list && operand.node().children.size() == 1) operand = children_of(operand).front();
  if (!is_number(spot.node().type) || !is_scalar(operand.node().type)) return std::nullopt;
  return operand;
}

bool widens(const TypeFacts& to, const TypeFacts& from) {
  if (!is_number(from)) return false;
  bool const becomes_real = to.type_class == TypeClass::floating && from.type_class != TypeClass::floating;
  bool const becomes_integer = to.type_class != TypeClass::floating && from.type_class == TypeClass::floating;
  return becomes_real || (!becomes_integer && to.bits > from.bits);
}

// As an operand of arithmetic, where the width decides what is computed.
bool is_computed_with(const Spot& spot) {
  auto above = parent_of(spot);
  while (above && unwrapped(*above).inner == spot.inner) above = parent_of(*above);
  if (!above || above->node().form != Form::binary) return false;
  static constexpr std::array<std::string_view, 7> marks = {"+", "-", "*", "/", "%", "<<", ">>"};
  return std::find(marks.begin(), marks.end(), above->node().op) != marks.end();
}

bool is_in_index(const Spot& spot) {
  if (spot.node().type.type_class == TypeClass::pointer) return true;
  auto above = parent_of(spot);
  Spot below = spot;
  while (above) {
    if (above->node().form == Form::subscript || (above->node().kind == NodeKind::call && above->node().op == "[]")) return true;
    if (above->node().form == Form::binary && above->node().type.type_class == TypeClass::pointer) return true;
    bool const goes_on = above->node().form == Form::binary || above->node().form == Form::cast || unwrapped(*above).inner == below.inner;
    if (!goes_on) break;
    below = *above;
    above = parent_of(*above);
  }
  static constexpr std::array<std::string_view, 3> words = {"offset", "index", "address"};
  bool const declares = above && above->node().kind == NodeKind::declaration;
  bool const returns = above && above->node().form == Form::return_statement;
  std::string_view const name = declares ? std::string_view(above->node().name) : std::string_view(spot.tree->scope->symbol);
  return (declares || returns) && std::any_of(words.begin(), words.end(), [&](std::string_view word) { return has_word(name, word); });
}

void drop_terms(const Spot& spot, Changes& changes) {
  auto const operands = operands_of(spot);
  if (!operands) return;
  bool const pointer = spot.node().type.type_class == TypeClass::pointer;
  bool const left = may_count(operands->left.converted()) || (pointer && operands->left.converted().type_class == TypeClass::pointer);
  bool const right = may_count(operands->right.converted());
  if (left && right) changes.push_back({spot.range(), std::string(operands->left.text())});
  // Without the pointer nothing is left to read through; without the minuend the sign would be lost silently.
  if (left && right && !pointer)
    changes.push_back({spot.range(), spot.node().op == "-" ? "-" + operand_text(operands->right) : std::string(operands->right.text())});
}

bool is_sum(const Spot& spot) { return spot.node().form == Form::binary && (spot.node().op == "+" || spot.node().op == "-"); }

// The type in front of the name, where it is one plain name.
std::optional<Range> type_name(const Spot& declaration) {
  std::size_t const begin = declaration.range().begin;
  auto const tokens = lex(declaration.tree->text({begin, declaration.node().name_at}));
  std::optional<Range> range;
  for (const Token& token : tokens) {
    Range const at{begin + token.begin, begin + token.end};
    std::string_view const text = declaration.tree->text(at);
    bool const storage = text == "const" || text == "static" || text == "mutable";
    if (storage && !range) continue;
    if (token.kind != TokenKind::name && text != "::") return std::nullopt;
    range = Range{range ? range->begin : at.begin, at.end};
  }
  return range;
}

// A scale, or one of several: `k_scale`, `scales[head]`, `scales.k`.
bool is_scale(const Spot& factor) {
  if (factor.converted().type_class != TypeClass::floating && factor.converted().type_class != TypeClass::dependent) return false;
  Spot const bare = unwrapped(factor);
  bool const indexed = bare.node().form == Form::subscript || (bare.node().kind == NodeKind::call && bare.node().op == "[]");
  if (indexed && !bare.node().children.empty()) return has_word(children_of(bare).front().text(), "scale");
  return (bare.node().form == Form::name || bare.node().form == Form::member) && has_word(bare.text(), "scale");
}

// Of what another table is indexed with.
bool is_index_table(const Spot& table) {
  static constexpr std::array<std::string_view, 10> words = {"table", "index", "indices", "slot",   "page",
                                                             "block", "id",    "map",     "indptr", "offset"};
  std::string_view const name = table.text();
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return has_word(name, word); });
}

}  // namespace

void factor_dropped(const Spot& spot, Changes& changes) {
  const std::string& op = spot.node().op;
  if (spot.node().form == Form::assignment && (op == "*=" || op == "/=") && stands_as_statement(spot))
    changes.push_back({statement_of(spot), ";"});
  if (spot.node().form != Form::binary || (op != "*" && op != "/")) return;
  auto const operands = operands_of(spot);
  if (!operands || !may_count(operands->left.converted()) || !may_count(operands->right.converted())) return;
  changes.push_back({spot.range(), std::string(operands->left.text())});
  if (op == "*") changes.push_back({spot.range(), std::string(operands->right.text())});
}

void index_term_dropped(const Spot& spot, Changes& changes) {
  if (is_sum(spot) && is_in_index(spot)) drop_terms(spot, changes);
}

void term_dropped(const Spot& spot, Changes& changes) {
  if (is_sum(spot) && !is_in_index(spot)) drop_terms(spot, changes);
}

void widening_removed(const Spot& spot, Changes& changes) {
  auto const operand = cast_operand(spot);
  if (operand && widens(spot.node().type, operand->node().type) && is_computed_with(spot))
    changes.push_back({spot.range(), operand_text(*operand)});
}

void cast_removed(const Spot& spot, Changes& changes) {
  auto const operand = cast_operand(spot);
  // A widening that nothing is computed with happens by itself.
  if (!operand || operand->node().type.spelling == spot.node().type.spelling || operand->node().type.type_class == TypeClass::enumeration)
    return;
  if (operand->node().type.type_class == TypeClass::pointer || widens(spot.node().type, operand->node().type)) return;
  auto const above = parent_of(spot);
  bool const braced = above && above->text().ends_with("}");  // which does not narrow by itself
  if (!braced) changes.push_back({spot.range(), operand_text(*operand)});
}

void accumulator_narrowed(const Spot& spot, Changes& changes) {
  const Node& node = spot.node();
  if (node.kind != NodeKind::declaration || node.type.bits != 64 || node.type.is_reference || !is_number(node.type) ||
      !is_accumulated(spot))
    return;
  auto const range = type_name(spot);
  if (!range) return;
  bool const real = node.type.type_class == TypeClass::floating;
  changes.push_back({*range, real ? "float" : node.type.type_class == TypeClass::signed_integer ? "int" : "unsigned"});
}

void scale_twice(const Spot& spot, Changes& changes) {
  const std::string& op = spot.node().op;
  auto const operands = op == "*" || op == "*=" || op == "/" || op == "/=" ? operands_of(spot) : std::nullopt;
  if (!operands) return;
  bool const right = is_scale(operands->right);
  bool const left = op == "*" && is_scale(operands->left);
  if (!right && !left) return;
  std::string const scale(unwrapped(right ? operands->right : operands->left).text());
  std::string const mark = op == "/" ? " / " : " * ";
  changes.push_back({spot.range(), std::string(spot.text()) + mark + scale});
}

void index_shifted(const Spot& spot, Changes& changes) {
  bool const overloaded = spot.node().kind == NodeKind::call && spot.node().op == "[]";
  if ((spot.node().form != Form::subscript && !overloaded) || !is_integer(spot.node().type)) return;
  auto const children = children_of(spot);
  if (children.size() < 2 || !spot.is_value() || !is_index_table(children.front())) return;
  Spot const index = children.back();
  if (is_integer(index.converted())) changes.push_back({index.range(), summand(index) + " + 1"});
}

}  // namespace redproof::mutants
