#include "mutants/driver/find/tree_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

using Replacements = std::vector<Replacement>;

const Node& node_at(const Site& site, int index) { return site.scope->nodes[static_cast<std::size_t>(index)]; }

std::string_view called(const Site& site, const Node& call) {
  std::size_t end = call.range.end;
  auto const open = site.file->text.find_first_of("({", call.range.begin);
  if (!call.children.empty() && call.kind == NodeKind::call) end = node_at(site, call.children.front()).range.end;
  if (call.arguments.empty() || end > call.arguments.front().begin) end = std::min(end, open);
  return site.text({call.range.begin, std::max(end, call.range.begin)});
}

// `store` names kv::store(...) and cache.store(...) as well.
bool calls(const Site& site, const Node& call, const std::string& name) {
  auto const wanted = token_texts(name);
  auto const have = token_texts(called(site, call));
  if (wanted.empty() || have.size() < wanted.size()) return false;
  if (!std::equal(wanted.rbegin(), wanted.rend(), have.rbegin())) return false;
  if (have.size() == wanted.size()) return true;
  std::string_view const before = have[have.size() - wanted.size() - 1];
  return before == "::" || before == "." || before == "->";
}

const Node& only_call(const Site& site, const std::string& pattern) {
  std::vector<const Node*> found;
  for (const Node& node : site.scope->nodes) {
    bool const has_arguments = node.kind == NodeKind::call || node.kind == NodeKind::braced_list;
    if (!has_arguments || node.arguments.empty() || node.range.begin < site.within.begin || node.range.end > site.within.end) continue;
    if (same_tokens(site.text(node.range), pattern) || calls(site, node, pattern)) found.push_back(&node);
  }
  // A braced list inside the call that makes it (`Scales{k, v}`) says the same arguments once more: the outermost of equal ones counts.
  std::vector<const Node*> distinct;
  for (const Node* node : found) {
    bool const seen = std::any_of(distinct.begin(), distinct.end(), [&](const Node* other) { return other->arguments == node->arguments; });
    if (!seen) distinct.push_back(node);
  }
  return only_of(site, "call", pattern, distinct);
}

std::optional<std::size_t> number_of(const std::string& text) {
  std::size_t number = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// By number, or by its text, which then must be that of one argument alone.
Range argument(const Site& site, const Node& call, const std::string& which) {
  if (auto const number = number_of(which); number && *number < call.arguments.size()) return call.arguments[*number];
  std::vector<Range> found;
  for (Range const range : call.arguments)
    if (same_tokens(site.text(range), which)) found.push_back(range);
  if (found.size() != 1)
    throw Stale{fmt::format("argument `{}` is {} times in the call at line {}", which, found.size(), site.line(call.range))};
  return found.front();
}

Replacements swap_arguments(const Edit& edit, const Site& site) {
  const Node& call = only_call(site, edit.word("call"));
  Range const first = argument(site, call, edit.word("first"));
  Range const second = argument(site, call, edit.word("second"));
  if (first == second) throw Stale{"both arguments are the same one"};
  return {{first, std::string(site.text(second))}, {second, std::string(site.text(first))}};
}

Replacements replace_argument(const Edit& edit, const Site& site) {
  const Node& call = only_call(site, edit.word("call"));
  return {{argument(site, call, edit.has("index") ? edit.word("index") : edit.word("argument")), edit.word("with")}};
}

Replacements replace_expression(const Edit& edit, const Site& site) {
  const Node& node = only_expression(site, "expression", edit.word("expression"));
  if (!edit.has("operand")) return {{node.range, edit.word("with")}};
  Site const inner{site.file, site.scope, node.range};
  return {{only_expression(inner, "operand", edit.word("operand")).range, edit.word("with")}};
}

// The two operands of a node with an operator between them, and where that operator stands.
struct Operation {
  Range left, right, mark;
};

std::optional<Operation> operation_of(const Site& site, const Node& node) {
  std::vector<Range> operands;
  for (int const child : node.children) {
    Range const range = node_at(site, child).range;
    auto const tokens = lex(site.text(range));
    // An overloaded operator is a child of its own.
    if (tokens.size() == 1 && tokens.front().kind == TokenKind::punctuation) continue;
    if (is_expression(node_at(site, child))) operands.push_back(range);
  }
  std::sort(operands.begin(), operands.end());
  if (operands.size() != 2 || operands[0].end > operands[1].begin) return std::nullopt;
  Token const mark = token_at(site.file->text, operands[0].end);
  if (mark.begin == std::string_view::npos || mark.end > operands[1].begin || mark.kind != TokenKind::punctuation) return std::nullopt;
  if (token_at(site.file->text, mark.end).begin != operands[1].begin) return std::nullopt;
  std::string_view const text = site.text({mark.begin, mark.end});
  if (text == "," || text == "?" || text == "[" || text == "(") return std::nullopt;
  return Operation{operands[0], operands[1], {mark.begin, mark.end}};
}

// The operator before or after its only operand.
std::optional<Range> unary_mark(const Site& site, const Node& node) {
  auto const tokens = lex(site.text(node.range));
  if (tokens.size() < 2 || node.children.size() != 1) return std::nullopt;
  Range const operand = node_at(site, node.children.front()).range;
  auto const at = [&](const Token& token) { return Range{node.range.begin + token.begin, node.range.begin + token.end}; };
  static constexpr std::array<std::string_view, 8> marks = {"-", "+", "!", "~", "*", "&", "++", "--"};
  for (const Token& token : {tokens.front(), tokens.back()}) {
    bool const outside = at(token).end <= operand.begin || at(token).begin >= operand.end;
    if (outside && std::find(marks.begin(), marks.end(), site.text(at(token))) != marks.end()) return at(token);
  }
  return std::nullopt;
}

Replacements replace_operator(const Edit& edit, const Site& site) {
  const std::string& pattern = edit.word("expression");
  std::vector<const Node*> found;
  for (const Node& node : site.scope->nodes) {
    bool const inside = node.range.begin >= site.within.begin && node.range.end <= site.within.end;
    if (!inside || !is_expression(node) || !same_tokens(site.text(node.range), pattern)) continue;
    if (operation_of(site, node) || unary_mark(site, node)) found.push_back(&node);
  }
  const Node& node = only_of(site, "an operator expression", pattern, found);
  auto const operation = operation_of(site, node);
  if (operation && edit.word("with").empty()) throw Stale{"only an operator with one operand can be dropped"};
  return {{operation ? operation->mark : *unary_mark(site, node), edit.word("with")}};
}

// Every product or quotient at or below a node that has `factor` as an operand.
void find_factors(const Site& site, Range inside, const std::string& factor, std::vector<std::pair<const Node*, Operation>>& found) {
  for (const Node& node : site.scope->nodes) {
    if (node.range.begin < inside.begin || node.range.end > inside.end || !is_expression(node)) continue;
    auto const operation = operation_of(site, node);
    if (!operation) continue;
    std::string_view const mark = site.text(operation->mark);
    bool const scales = mark == "*" || mark == "/" || mark == "*=" || mark == "/=";
    bool const right = same_tokens(site.text(operation->right), factor);
    bool const left = mark == "*" && same_tokens(site.text(operation->left), factor);
    bool const known = std::any_of(found.begin(), found.end(), [&](const auto& other) { return other.second.mark == operation->mark; });
    if (scales && (left || right) && !known) found.emplace_back(&node, *operation);
  }
}

Replacements drop_factor(const Edit& edit, const Site& site) {
  const Node& whole = only_expression(site, "expression", edit.word("expression"));
  const std::string& factor = edit.word("factor");
  std::vector<std::pair<const Node*, Operation>> found;
  find_factors(site, whole.range, factor, found);
  if (found.size() != 1)
    throw Stale{fmt::format("`{}` is a factor at {} places of the expression at line {}", factor, found.size(), site.line(whole.range))};
  const auto& [node, operation] = found.front();
  bool const right = same_tokens(site.text(operation.right), factor);
  if (right && same_tokens(site.text(operation.left), factor)) throw Stale{fmt::format("`{}` is both factors", factor)};
  // What stays keeps its place: the operator and the dropped side go.
  if (right) return {{{operation.left.end, operation.right.end}, ""}};
  return {{{operation.left.begin, operation.right.begin}, ""}};
}

Replacements delete_statement(const Edit& edit, const Site& site) {
  const Node& node = only_statement(site, "statement", edit.word("statement"));
  return {{statement_range(site, node), ";"}};
}

// Text that has to keep its line breaks: a comment to the end of the line, a directive, a raw string.
bool needs_lines(std::string_view text) {
  return text.find("//") != std::string_view::npos || text.find('#') != std::string_view::npos ||
         text.find("R\"") != std::string_view::npos;
}

std::string flattened(std::string_view text) {
  std::string flat;
  for (char const c : text)
    if (c != '\r') flat += c == '\n' ? ' ' : c;
  return flat;
}

Replacements move_statement(const Edit& edit, const Site& site) {
  bool const before = edit.has("before");
  Range const moved = statement_range(site, only_statement(site, "statement", edit.word("statement")));
  Range const anchor = statement_range(site, only_statement(site, before ? "before" : "after", edit.word(before ? "before" : "after")));
  if (moved.begin < anchor.end && anchor.begin < moved.end) throw Stale{"the statement and the place it moves to overlap"};
  std::string_view const text = site.text(moved);
  std::size_t const at = before ? anchor.begin : anchor.end;
  bool const keeps = needs_lines(text);
  std::string hole;
  if (!keeps)
    for (char const c : text)
      if (c == '\n' || c == '\r') hole += c;
  std::string const body = keeps ? std::string(text) : flattened(text);
  return {{moved, hole}, {{at, at}, before ? body + " " : " " + body}};
}

bool is_condition(const Site& site, const Node& node) {
  if (node.parent < 0 || !is_expression(node)) return false;
  const Node& parent = node_at(site, node.parent);
  if (parent.kind == NodeKind::conditional) return &node == &node_at(site, parent.children.front());
  bool const tests = parent.kind == NodeKind::if_statement || parent.kind == NodeKind::loop || parent.kind == NodeKind::for_loop ||
                     parent.kind == NodeKind::do_loop;
  return tests && !is_statement(site, node);
}

Replacements force_condition(const Edit& edit, const Site& site) {
  if (edit.word("value") != "true" && edit.word("value") != "false") throw Stale{"value must be true or false"};
  auto const tests = [&](const Node& node) { return is_condition(site, node); };
  return {{only_node(site, "condition", edit.word("condition"), tests).range, edit.word("value")}};
}

Replacements replace_literal(const Edit& edit, const Site& site) {
  const std::string& literal = edit.word("literal");
  // A sign makes an expression of it.
  bool const plain = token_texts(literal).size() == 1;
  auto const eligible = [&](const Node& node) { return plain ? node.kind == NodeKind::literal : is_expression(node); };
  return {{only_node(site, "literal", literal, eligible).range, edit.word("with")}};
}

bool is_declared_at(const Site& site, std::size_t at) {
  return std::any_of(site.scope->nodes.begin(), site.scope->nodes.end(),
                     [&](const Node& node) { return node.kind == NodeKind::declaration && node.name_at == at; });
}

Replacements replace_name(const Edit& edit, const Site& site) {
  const std::string& name = edit.word("name");
  if (token_texts(name).size() != 1) return {{only_expression(site, "name", name).range, edit.word("with")}};
  std::vector<Range> found;
  std::vector<std::string> lines;
  for (const Token& token : lex(site.text(site.within))) {
    Range const range{site.within.begin + token.begin, site.within.begin + token.end};
    if (token.kind != TokenKind::name || site.text(range) != name || is_declared_at(site, range.begin)) continue;
    found.push_back(range);
    lines.push_back(std::to_string(site.line(range)));
  }
  if (found.size() != 1)
    throw Stale{fmt::format("name `{}` is used {} times in {}{}{}", name, found.size(), site.scope->name, found.empty() ? "" : ": lines ",
                            fmt::join(lines, ", "))};
  return {{found.front(), edit.word("with")}};
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The type in front of a declared name, without what says how it is stored and without the marks of pointers and references.
Range type_range(const Site& site, const Node& declaration) {
  auto tokens = lex(site.text({declaration.range.begin, declaration.name_at}));
  std::size_t first = 0;
  auto const text = [&](std::size_t i) {
    return site.text({declaration.range.begin + tokens[i].begin, declaration.range.begin + tokens[i].end});
  };
  while (first < tokens.size() &&
         is_one_of(text(first), {"const", "constexpr", "static", "inline", "mutable", "thread_local", "constinit", "volatile", "extern"}))
    ++first;
  std::size_t last = tokens.size();
  while (last > first && is_one_of(text(last - 1), {"*", "&", "&&", "const"})) --last;
  if (first == last) throw Stale{fmt::format("the declaration at line {} has no type in front of its name", site.line(declaration.range))};
  return {declaration.range.begin + tokens[first].begin, declaration.range.begin + tokens[last - 1].end};
}

// A declared name alone, or the whole declaration as written.
const Node& only_declaration(const Site& site, const std::string& pattern) {
  bool const name_only = token_texts(pattern).size() == 1;
  std::vector<const Node*> found;
  for (const Node& node : site.scope->nodes) {
    bool const inside = node.range.begin >= site.within.begin && node.range.end <= site.within.end;
    if (node.kind != NodeKind::declaration || !inside || node.name_at < node.range.begin || node.name_at >= node.range.end) continue;
    Token const name = token_at(site.file->text, node.name_at);
    bool const named = name_only && site.text({name.begin, name.end}) == pattern;
    std::string whole(pattern);
    while (!whole.empty() && (whole.back() == ';' || whole.back() == ' ')) whole.pop_back();
    if (named || same_tokens(site.text(node.range), whole)) found.push_back(&node);
  }
  return only_of(site, "declaration", pattern, found);
}

Replacements narrow_type(const Edit& edit, const Site& site) {
  const std::string& to = edit.word("to");
  if (edit.has("declaration")) return {{type_range(site, only_declaration(site, edit.word("declaration"))), to}};
  const Node& node = only_expression(site, "expression", edit.word("expression"));
  return {{node.range, fmt::format("static_cast<{}>({})", to, site.text(node.range))}};
}

}  // namespace

std::vector<Replacement> tree_edit(const Edit& edit, const Site& site) {
  switch (edit.kind) {
    case EditKind::swap_arguments:
      return swap_arguments(edit, site);
    case EditKind::replace_argument:
      return replace_argument(edit, site);
    case EditKind::replace_operand:
    case EditKind::replace_expression:
      return replace_expression(edit, site);
    case EditKind::drop_factor:
      return drop_factor(edit, site);
    case EditKind::delete_statement:
      return delete_statement(edit, site);
    case EditKind::move_statement:
      return move_statement(edit, site);
    case EditKind::force_condition:
      return force_condition(edit, site);
    case EditKind::replace_operator:
      return replace_operator(edit, site);
    case EditKind::replace_literal:
      return replace_literal(edit, site);
    case EditKind::replace_name:
      return replace_name(edit, site);
    case EditKind::narrow_type:
      return narrow_type(edit, site);
    case EditKind::text:
      break;
  }
  return {};
}

}  // namespace redproof::mutants
