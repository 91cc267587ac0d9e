#include "mutants/driver/find/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "mutants/driver/find/parse.h"
#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

std::string_view without_semicolon(std::string_view text) {
  auto const last = text.find_last_not_of(" \t\r\n");
  if (last != std::string_view::npos && text[last] == ';') text = text.substr(0, last);
  return text;
}

const Node* parent_of(const Site& site, const Node& node) {
  return node.parent < 0 ? nullptr : &site.scope->nodes[static_cast<std::size_t>(node.parent)];
}

bool is_body(const Node& parent, const Node& node, const Site& site) {
  const Node& last = site.scope->nodes[static_cast<std::size_t>(parent.children.back())];
  const Node& first = site.scope->nodes[static_cast<std::size_t>(parent.children.front())];
  switch (parent.kind) {
    case NodeKind::compound:
    case NodeKind::if_statement:
    case NodeKind::loop:
    case NodeKind::switch_statement:
    case NodeKind::label:
      return true;
    case NodeKind::for_loop:
      return &node == &last;
    case NodeKind::do_loop:
      return &node == &first;
    default:
      return false;
  }
}

bool has_own_end(NodeKind kind) {
  return kind == NodeKind::compound || kind == NodeKind::if_statement || kind == NodeKind::loop || kind == NodeKind::for_loop ||
         kind == NodeKind::switch_statement || kind == NodeKind::label || kind == NodeKind::declaration_statement;
}

// How much of a's tokens b shares: what a stale message calls near.
double likeness(std::vector<std::string_view> a, std::vector<std::string_view> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::string_view> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  std::size_t const all = a.size() + b.size() - common.size();
  return all == 0 ? 0 : static_cast<double>(common.size()) / static_cast<double>(all);
}

std::string nearest(const Site& site, const std::string& pattern, const NodeTest& eligible) {
  auto const wanted = token_texts(pattern);
  const Node* best = nullptr;
  double best_likeness = 0.4;
  for (const Node& node : site.scope->nodes) {
    if (node.range.end - node.range.begin > 4 * pattern.size() + 20 || !eligible(node)) continue;
    double const like = likeness(wanted, token_texts(site.text(node.range)));
    if (like > best_likeness) {
      best = &node;
      best_likeness = like;
    }
  }
  if (best == nullptr) return {};
  return fmt::format("; near it is line {}: {}", site.line(best->range), first_line(site.text(best->range)));
}

bool inside(Range range, Range outer) { return range.begin >= outer.begin && range.end <= outer.end; }

// `for (...)`, `if (...)`: the tokens of a control statement begin with the pattern, which ends with the head's bracket.
bool is_head_of(std::string_view pattern, std::string_view text) {
  auto const head = token_texts(pattern);
  auto const whole = token_texts(text);
  if (head.size() < 3 || head.back() != ")" || head.size() >= whole.size() || !std::equal(head.begin(), head.end(), whole.begin()))
    return false;
  int depth = 0;
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == "(") ++depth;
    if (head[i] == ")" && --depth == 0) return i + 1 == head.size();
  }
  return false;
}

bool is_control(NodeKind kind) {
  return kind == NodeKind::if_statement || kind == NodeKind::loop || kind == NodeKind::for_loop || kind == NodeKind::switch_statement;
}

std::string places(const Site& site, const std::vector<const Node*>& nodes) {
  std::vector<std::string> lines;
  for (const Node* node : nodes) lines.push_back(fmt::format("{}: {}", site.line(node->range), first_line(site.text(node->range))));
  return fmt::format("lines {}", fmt::join(lines, " | "));
}

}  // namespace

std::size_t Site::line(Range range) const { return line_of(file->text, range.begin); }

bool is_expression(const Node& node) {
  return node.kind == NodeKind::call || node.kind == NodeKind::braced_list || node.kind == NodeKind::conditional ||
         node.kind == NodeKind::literal || node.kind == NodeKind::expression;
}

bool is_statement(const Site& site, const Node& node) {
  const Node* const parent = parent_of(site, node);
  if (parent == nullptr || !is_body(*parent, node, site)) return false;
  if (!is_expression(node)) return node.kind != NodeKind::other && node.kind != NodeKind::declaration;
  Token const next = token_at(site.file->text, node.range.end);
  return next.begin != std::string_view::npos && site.file->text[next.begin] == ';';
}

Range statement_range(const Site& site, const Node& node) {
  if (has_own_end(node.kind)) return node.range;
  Token const next = token_at(site.file->text, node.range.end);
  bool const closed = next.begin != std::string_view::npos && site.file->text[next.begin] == ';';
  return closed ? Range{node.range.begin, next.end} : node.range;
}

bool same_tokens(std::string_view one, std::string_view other) { return token_texts(one) == token_texts(other); }

const Node& only_of(const Site& site, std::string_view what, const std::string& pattern, const std::vector<const Node*>& nodes) {
  std::set<Range> ranges;
  std::vector<const Node*> distinct;
  for (const Node* node : nodes)
    if (ranges.insert(node->range).second) distinct.push_back(node);
  if (distinct.empty()) throw Stale{fmt::format("{} `{}` is nowhere in {}", what, first_line(pattern), site.scope->name)};
  if (distinct.size() > 1)
    throw Stale{fmt::format("{} `{}` is at {} places in {}: {}", what, first_line(pattern), distinct.size(), site.scope->name,
                            places(site, distinct))};
  return *distinct.front();
}

const Node& only_node(const Site& site, std::string_view what, const std::string& pattern, const NodeTest& eligible) {
  auto const wanted = token_texts(without_semicolon(pattern));
  std::vector<const Node*> found;
  for (const Node& node : site.scope->nodes) {
    if (!inside(node.range, site.within) || !eligible(node)) continue;
    if (token_texts(without_semicolon(site.text(node.range))) == wanted) found.push_back(&node);
  }
  if (found.empty())
    throw Stale{fmt::format("{} `{}` is nowhere in {}{}", what, first_line(pattern), site.scope->name, nearest(site, pattern, eligible))};
  return only_of(site, what, pattern, found);
}

const Node& only_expression(const Site& site, std::string_view what, const std::string& pattern) {
  return only_node(site, what, pattern, is_expression);
}

const Node& only_statement(const Site& site, std::string_view what, const std::string& pattern) {
  return only_node(site, what, pattern, [&](const Node& node) { return is_statement(site, node); });
}

const Scope& only_scope(const FileSyntax& file, const std::string& name, const std::string& signature) {
  std::vector<const Scope*> found;
  for (ScopeKind const kind : {ScopeKind::function, ScopeKind::variable, ScopeKind::record}) {
    for (const Scope& scope : file.scopes) {
      bool const meant = signature.empty() || same_tokens(signature, scope.signature);
      if (scope.kind == kind && names_scope(scope.name, name) && meant) found.push_back(&scope);
    }
    if (!found.empty()) break;
  }
  if (found.size() == 1) return *found.front();
  if (found.empty()) throw Stale{fmt::format("{} defines no {}{}", file.path, name, signature)};
  std::vector<std::string> lines;
  for (const Scope* scope : found) lines.push_back(fmt::format("{}: {}{}", scope->line, scope->name, scope->signature));
  throw Stale{fmt::format("{} is defined at {} places of {}: lines {}", name, found.size(), file.path, fmt::join(lines, " | "))};
}

Site narrow(const Site& site, const std::string& within) {
  if (within.empty()) return site;
  std::vector<const Node*> heads;
  for (const Node& node : site.scope->nodes)
    if (is_control(node.kind) && is_head_of(within, site.text(node.range))) heads.push_back(&node);
  auto const eligible = [&](const Node& candidate) { return is_expression(candidate) || is_statement(site, candidate); };
  return {site.file, site.scope,
          (heads.empty() ? only_node(site, "within", within, eligible) : only_of(site, "within", within, heads)).range};
}

}  // namespace redproof::mutants
