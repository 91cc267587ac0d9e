// Which node of a scope is meant by a piece of source text.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mutants/driver/find/syntax.h"

namespace redproof::mutants {

// Thrown where an edit applies nowhere or at more than one place: the message names the places.
struct Stale {
  std::string why;
};

// One scope of a file, or the part of it that `within` names.
struct Site {
  const FileSyntax* file;
  const Scope* scope;
  Range within;

  std::string_view text(Range range) const { return std::string_view(file->text).substr(range.begin, range.end - range.begin); }
  std::size_t line(Range range) const;
};

bool is_expression(const Node& node);
// A node that stands where a statement may stand; an expression then ends in `;`.
bool is_statement(const Site& site, const Node& node);
// With the closing `;` where there is one.
Range statement_range(const Site& site, const Node& node);
bool same_tokens(std::string_view one, std::string_view other);

using NodeTest = std::function<bool(const Node&)>;
using NodeRange = std::function<Range(const Node&)>;

// The one node inside the site that `eligible` admits and whose tokens are `pattern`; nodes of one range count once. Throws Stale.
const Node& only_node(const Site& site, std::string_view what, const std::string& pattern, const NodeTest& eligible);
const Node& only_expression(const Site& site, std::string_view what, const std::string& pattern);
const Node& only_statement(const Site& site, std::string_view what, const std::string& pattern);
// The one among `nodes`, whatever test chose them. Throws Stale.
const Node& only_of(const Site& site, std::string_view what, const std::string& pattern, const std::vector<const Node*>& nodes);

// The scope that a function's name and signature mean. Throws Stale.
const Scope& only_scope(const FileSyntax& file, const std::string& name, const std::string& signature);
// Narrows a site to the statement, the loop's or condition's head, or the expression. Throws Stale.
Site narrow(const Site& site, const std::string& within);

}  // namespace redproof::mutants
