#include "mutants/driver/generate/spot.h"

#include <algorithm>
#include <array>

#include "mutants/driver/find/match.h"
#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

bool is_wrapper(const Node& node) { return node.form == Form::implicit || node.form == Form::construction; }

int same_range_child(const Tree& tree, const Node& node) {
  for (int const child : node.children)
    if (tree.at(child).range == node.range) return child;
  return -1;
}

Site site_of(const Tree& tree) { return {tree.file, tree.scope, tree.scope->nodes.front().range}; }

bool is_operator_name(const Spot& spot) {
  auto const tokens = lex(spot.text());
  return tokens.size() == 1 && tokens.front().kind == TokenKind::punctuation;
}

// A comparison may be written by another: a != b by a == b, a < b by a <=> b.
bool is_written(std::string_view mark, const Node& node) {
  if (mark == node.op) return true;
  if (node.kind != NodeKind::call) return false;
  if (node.op == "==") return mark == "!=";
  return node.op == "<=>" && (mark == "<" || mark == ">" || mark == "<=" || mark == ">=");
}

bool has_condition(const Node& node) {
  return node.kind == NodeKind::if_statement || node.kind == NodeKind::for_loop || node.kind == NodeKind::do_loop ||
         node.kind == NodeKind::conditional || node.form == Form::while_loop;
}

// The bytes inside which a statement's condition stands: its head's brackets, less the other parts of a `for`.
std::optional<Range> head_of(const Spot& spot) {
  const std::string& source = spot.tree->file->text;
  Token token = token_at(source, spot.range().begin);
  std::vector<std::size_t> parts;
  int depth = 0;
  for (; token.begin < spot.range().end; token = token_at(source, token.end)) {
    std::string_view const text = std::string_view(source).substr(token.begin, token.end - token.begin);
    if (text == "(" || text == "{" || text == "[") {
      if (depth++ == 0) parts.push_back(token.end);
    } else if (text == ")" || text == "}" || text == "]") {
      if (--depth == 0) break;
    } else if (text == ";" && depth == 1) {
      parts.push_back(token.end);
    }
  }
  if (parts.empty()) return std::nullopt;
  parts.push_back(token.begin);
  bool const loop = spot.node().kind == NodeKind::for_loop;
  if (loop && parts.size() != 4) return std::nullopt;
  return loop ? Range{parts[1], parts[2]} : Range{parts[parts.size() - 2], parts.back()};
}

}  // namespace

Spot spot_at(const Tree& tree, int index) {
  int outer = index;
  while (tree.at(outer).parent >= 0) {
    const Node& parent = tree.at(tree.at(outer).parent);
    if (!is_wrapper(parent) || parent.range != tree.at(outer).range) break;
    outer = tree.at(outer).parent;
  }
  int inner = index;
  while (is_wrapper(tree.at(inner))) {
    int const child = same_range_child(tree, tree.at(inner));
    if (child < 0) break;
    inner = child;
  }
  return {&tree, outer, inner};
}

std::vector<Spot> spots_of(const Tree& tree) {
  std::vector<Spot> spots;
  for (int i = 0; i < static_cast<int>(tree.scope->nodes.size()); ++i) {
    Spot const spot = spot_at(tree, i);
    if (spot.outer == i) spots.push_back(spot);
  }
  return spots;
}

std::optional<Spot> parent_of(const Spot& spot) {
  int const parent = spot.tree->at(spot.outer).parent;
  return parent < 0 ? std::nullopt : std::optional(spot_at(*spot.tree, parent));
}

std::optional<Spot> ancestor(const Spot& spot, const std::function<bool(const Spot&)>& test) {
  auto above = parent_of(spot);
  while (above && !test(*above)) above = parent_of(*above);
  return above;
}

std::vector<Spot> children_of(const Spot& spot) {
  std::vector<Spot> spots;
  for (int const child : spot.node().children) spots.push_back(spot_at(*spot.tree, child));
  return spots;
}

Spot unwrapped(Spot spot) {
  while (spot.text().starts_with("(") && spot.node().form == Form::other && spot.node().children.size() == 1)
    spot = spot_at(*spot.tree, spot.node().children.front());
  return spot;
}

std::optional<Operands> operands_of(const Spot& spot) {
  std::vector<Spot> sides;
  for (const Spot& child : children_of(spot))
    if (!is_operator_name(child)) sides.push_back(child);
  std::sort(sides.begin(), sides.end(), [](const Spot& a, const Spot& b) { return a.range() < b.range(); });
  if (spot.node().op.empty() || sides.size() != 2 || sides[0].range().end > sides[1].range().begin) return std::nullopt;
  Token const mark = token_at(spot.tree->file->text, sides[0].range().end);
  Range const range{mark.begin, mark.end};
  if (mark.begin == std::string_view::npos || mark.end > sides[1].range().begin || !is_written(spot.tree->text(range), spot.node()))
    return std::nullopt;
  return Operands{sides[0], sides[1], range};
}

std::vector<Spot> arguments_of(const Spot& spot) {
  std::vector<Spot> spots;
  for (Range const argument : spot.node().arguments)
    for (const Spot& child : children_of(spot))
      if (child.range() == argument) {
        spots.push_back(child);
        break;
      }
  return spots;
}

bool is_call(const Spot& spot) { return spot.node().kind == NodeKind::call && spot.node().op.empty() && spot.node().form == Form::other; }

bool stands_as_statement(const Spot& spot) { return is_statement(site_of(*spot.tree), spot.tree->at(spot.outer)); }

Range statement_of(const Spot& spot) {
  Range range = statement_range(site_of(*spot.tree), spot.tree->at(spot.outer));
  // An `if` or a loop whose last statement has no braces ends in that statement's `;`.
  std::string_view const text = spot.tree->text(range);
  Token const next = token_at(spot.tree->file->text, range.end);
  bool const open = !text.ends_with(";") && !text.ends_with("}");
  if (open && next.begin != std::string_view::npos && spot.tree->text({next.begin, next.end}) == ";") range.end = next.end;
  return range;
}

std::optional<Spot> condition_of(const Spot& spot) {
  if (!has_condition(spot.node()) || spot.node().children.empty()) return std::nullopt;
  std::vector<Spot> const children = children_of(spot);
  if (spot.node().kind == NodeKind::conditional) return children.front();
  if (spot.node().kind == NodeKind::do_loop) return children.back();
  auto const head = head_of(spot);
  if (!head) return std::nullopt;
  for (const Spot& child : children) {
    bool const inside = child.range().begin >= head->begin && child.range().end <= head->end;
    if (inside && is_expression(child.node()) && token_at(spot.tree->file->text, head->begin).begin == child.range().begin) return child;
  }
  return std::nullopt;
}

bool is_lambda(const Spot& spot) {
  return spot.node().kind == NodeKind::expression && spot.node().form == Form::other && spot.text().starts_with("[");
}

std::string summand(const Spot& spot) {
  static constexpr std::array<std::string_view, 5> stronger = {"+", "-", "*", "/", "%"};
  bool const weak = spot.node().kind == NodeKind::conditional ||
                    (spot.node().form == Form::binary && std::find(stronger.begin(), stronger.end(), spot.node().op) == stronger.end());
  return weak ? "(" + std::string(spot.text()) + ")" : std::string(spot.text());
}

bool is_integer(const TypeFacts& type) {
  return type.type_class == TypeClass::signed_integer || type.type_class == TypeClass::unsigned_integer;
}

bool is_number(const TypeFacts& type) { return is_integer(type) || type.type_class == TypeClass::floating; }

bool may_count(const TypeFacts& type) { return is_number(type) || type.type_class == TypeClass::dependent; }

bool is_scalar(const TypeFacts& type) {
  return is_number(type) || type.type_class == TypeClass::boolean || type.type_class == TypeClass::enumeration ||
         type.type_class == TypeClass::pointer;
}

}  // namespace redproof::mutants
