#include <algorithm>
#include <array>
#include <optional>

#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/families.h"
#include "mutants/driver/generate/words.h"

namespace redproof::mutants {
namespace {

constexpr std::size_t most_names = 2;  // a site
constexpr std::size_t most_swaps = 3;  // a call

bool opens_block(const Spot& spot) {
  NodeKind const kind = spot.node().kind;
  return kind == NodeKind::compound || kind == NodeKind::for_loop || kind == NodeKind::loop || kind == NodeKind::if_statement ||
         kind == NodeKind::switch_statement || is_lambda(spot) || spot.inner == 0;
}

bool captures_all(const Spot& lambda) {
  auto const tokens = token_texts(lambda.text().substr(0, std::min<std::size_t>(lambda.text().size(), 20)));
  return tokens.size() > 2 && (tokens[1] == "&" || tokens[1] == "=") && (tokens[2] == "]" || tokens[2] == ",");
}

bool encloses(Range outer, Range inner) { return outer.begin <= inner.begin && inner.end <= outer.end; }

// A variable or parameter that can be named at a spot.
bool is_visible(const Spot& declaration, const Spot& at) {
  if (declaration.node().name_at >= at.range().begin || encloses(declaration.range(), at.range())) return false;
  auto const above = parent_of(declaration);
  if (above && above->node().kind == NodeKind::declaration) return false;  // a parameter of a type
  auto const block = ancestor(declaration, opens_block);
  if (!block || !encloses(block->range(), at.range())) return false;
  if (block->node().form == Form::range_for && !encloses(children_of(*block).back().range(), at.range())) return false;
  auto const lambda = ancestor(at, is_lambda);
  return !lambda || encloses(lambda->range(), declaration.range()) || captures_all(*lambda);
}

std::vector<std::string> variables_like(const Spot& spot) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (int i = 0; i < static_cast<int>(spot.tree->scope->nodes.size()); ++i) {
    const Node& node = spot.tree->at(i);
    if (node.kind != NodeKind::declaration || node.name.empty() || node.from_macro || node.type.spelling != spot.node().type.spelling)
      continue;
    if (!spot.is_value() && node.type.is_const && !spot.node().type.is_const) continue;
    if (node.name != spot.node().name && is_visible(spot_at(*spot.tree, i), spot)) found.emplace_back(node.name_at, node.name);
  }
  // The nearest first: what is taken by mistake stands close by.
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> names;
  for (const auto& [place, name] : found)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

// The name alone, without what qualifies it; nothing where it is written otherwise (a template's arguments, an operator).
std::optional<Range> name_range(const Spot& spot) {
  const Node& node = spot.node();
  if ((node.form != Form::name && node.form != Form::member) || node.name.empty() || node.type.type_class == TypeClass::other)
    return std::nullopt;
  if (!spot.text().ends_with(node.name)) return std::nullopt;
  return Range{node.range.end - node.name.size(), node.range.end};
}

// What may stand in its place: variables for a variable, else what is declared beside it.
std::vector<std::string> alternatives(const Spot& spot) {
  if (!spot.node().siblings.empty()) return spot.node().siblings;
  bool const plain = spot.node().form == Form::name && spot.text() == spot.node().name;
  return plain ? variables_like(spot) : std::vector<std::string>();
}

enum class Group { scale, stride, neighbour, rest };

Group group_of(const Spot& spot, const std::string& other) {
  const std::string& name = spot.node().name;
  bool const neighbours = are_neighbours(name, other);
  bool const scale = has_word(spot.text(), "scale") || has_word(name, "scale");
  if (scale && (neighbours || has_word(other, "scale"))) return Group::scale;
  for (std::string_view const word : {"stride", "pitch"})
    if (has_word(name, word) && has_word(other, word)) return Group::stride;
  return neighbours ? Group::neighbour : Group::rest;
}

void swap_names(const Spot& spot, Group group, Changes& changes) {
  auto const range = name_range(spot);
  if (!range) return;
  std::size_t taken = 0;
  for (const std::string& other : alternatives(spot)) {
    if (group_of(spot, other) != group || taken == most_names) continue;
    changes.push_back({*range, other});
    ++taken;
  }
}

bool is_symmetric(const Spot& call) {
  static constexpr std::array<std::string_view, 12> names = {"min",    "max",       "swap",  "fmin", "fmax", "hypot",
                                                             "minmax", "isgreater", "equal", "gcd",  "lcm",  "midpoint"};
  return std::find(names.begin(), names.end(), call.node().name) != names.end();
}

bool are_compatible(const Spot& one, const Spot& other, bool braced) {
  const TypeFacts& a = one.node().type;
  const TypeFacts& b = other.node().type;
  if (a.type_class == TypeClass::none || a.type_class == TypeClass::dependent || token_texts(one.text()) == token_texts(other.text()))
    return false;
  if (one.converted().spelling != other.converted().spelling && braced) return false;  // it might narrow
  return a.spelling == b.spelling || (is_integer(a) && is_integer(b)) || one.converted().spelling == other.converted().spelling;
}

}  // namespace

// A braced list inside the call that it makes says the same arguments once more; equal changes count once.
void argument_swapped(const Spot& spot, Changes& changes) {
  bool const has_arguments = spot.node().kind == NodeKind::call || spot.node().kind == NodeKind::braced_list;
  if (!has_arguments || !spot.node().op.empty() || is_symmetric(spot)) return;
  auto const arguments = arguments_of(spot);
  bool const braced = spot.text().ends_with("}");
  std::size_t taken = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t k = i + 1; k < arguments.size() && taken < most_swaps; ++k) {
      if (!are_compatible(arguments[i], arguments[k], braced)) continue;
      Range const first = arguments[i].range();
      Range const second = arguments[k].range();
      std::string const between(spot.tree->text({first.end, second.begin}));
      changes.push_back({{first.begin, second.end}, std::string(arguments[k].text()) + between + std::string(arguments[i].text())});
      ++taken;
    }
}

void scale_swapped(const Spot& spot, Changes& changes) { swap_names(spot, Group::scale, changes); }
void stride_swapped(const Spot& spot, Changes& changes) { swap_names(spot, Group::stride, changes); }
void neighbour_swapped(const Spot& spot, Changes& changes) { swap_names(spot, Group::neighbour, changes); }
void name_replaced(const Spot& spot, Changes& changes) { swap_names(spot, Group::rest, changes); }

}  // namespace redproof::mutants
