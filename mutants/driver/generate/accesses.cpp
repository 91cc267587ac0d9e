#include "mutants/driver/generate/accesses.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "mutants/driver/find/match.h"
#include "mutants/driver/find/token.h"

namespace redproof::mutants {
namespace {

using Path = std::vector<std::string>;

bool is_pointer(const TypeFacts& type) { return type.type_class == TypeClass::pointer; }
bool points_to_const(const TypeFacts& pointer) { return pointer.spelling.starts_with("const "); }

// What only names `operator=` and its like is no operand.
bool is_operand(const Spot& spot) {
  std::string_view const name = spot.node().name;
  bool const names_operator = name.starts_with("operator") && name.find_first_of("=+-*/%&|^<>![(", 8) == 8;
  return is_expression(spot.node()) && (spot.node().kind == NodeKind::call || !names_operator);
}

std::vector<Spot> operands_in(const Spot& spot) {
  std::vector<Spot> operands = children_of(spot);
  std::erase_if(operands, [](const Spot& child) { return !is_operand(child); });
  return operands;
}

bool is_subscript(const Node& node) { return node.form == Form::subscript || (node.kind == NodeKind::call && node.op == "[]"); }

bool is_dereference(const Spot& spot) {
  const Node& node = spot.node();
  bool const overloaded = node.kind == NodeKind::call && operands_in(spot).size() == 1;
  return node.op == "*" && (node.form == Form::unary || overloaded);
}

// What is left of a place one step further out; nothing of a variable, and of what names no place.
std::optional<Spot> base_of(const Spot& spot) {
  auto const operands = operands_in(spot);
  bool const inner = spot.node().form == Form::member || is_subscript(spot.node()) || is_dereference(spot) ||
                     (spot.node().kind == NodeKind::call && spot.node().op == "->");
  if (!inner || operands.empty()) return std::nullopt;
  return unwrapped(operands.front());
}

// A function or an enumerator.
bool names_no_place(const Node& node) {
  bool const function = node.type.type_class == TypeClass::other && node.type.spelling.find('(') != std::string::npos;
  return function || !node.siblings.empty();
}

// Empty where it names no place.
Path path_of(const Spot& written) {
  Spot const spot = unwrapped(written);
  const Node& node = spot.node();
  if (node.form == Form::name) return names_no_place(node) ? Path() : Path{node.qualified};
  auto const base = base_of(spot);
  bool const own = node.form == Form::member && (!base || base->text() == "this");
  if (!own && !base) return {};
  Path path = own ? Path{"this"} : path_of(*base);
  if (path.empty() || node.op == "->") return path;
  if (own || is_dereference(spot) || is_pointer(base->node().type)) path.emplace_back("*");
  if (node.form == Form::member) path.push_back(node.name);
  if (is_subscript(node))
    path.push_back(fmt::format("{}", fmt::join(token_texts(spot.tree->text({base->range().end, spot.range().end})), " ")));
  return path;
}

// Of an assignment "="; else which updates of a number give the same in any order.
std::string group_of(const Node& update) {
  const std::string& op = update.op;
  if (op == "=") return op;
  if (update.kind == NodeKind::call) return {};
  bool const integer = is_integer(update.type);
  if (op == "+=" || op == "-=" || op == "++" || op == "--") return integer || is_pointer(update.type) ? "+" : "";
  if (op == "&=" || op == "|=" || op == "^=") return integer || update.type.type_class == TypeClass::boolean ? op : "";
  return integer && (op == "*=" || op == "/=" || op == "<<=" || op == ">>=") ? op : std::string();
}

class Collector {
 public:
  void take_statement(const Spot& spot) { is_update(spot.node()) ? take_update(spot, group_of(spot.node())) : take(spot); }
  std::vector<Access> all() && { return std::move(accesses_); }

 private:
  void take(const Spot& written) {
    Spot const spot = unwrapped(written);
    const Node& node = spot.node();
    Path const path = path_of(spot);
    if (!path.empty()) {
      add(path, false);
      take_inside(spot);
    } else if (is_update(node)) {
      take_update(spot, {});
    } else if (node.kind == NodeKind::call && node.form == Form::other) {
      take_call(spot);
    } else {
      for (const Spot& child : children_of(spot)) take(child);
    }
  }

  void add(Path path, bool writes, const std::string& group = {}) { accesses_.push_back({std::move(path), writes, group}); }

  // What a place is found by: subscripts.
  void take_inside(const Spot& place) {
    auto const base = base_of(unwrapped(place));
    if (!base) return;
    for (const Spot& operand : operands_in(unwrapped(place)))
      if (unwrapped(operand).inner != base->inner) take(operand);
    take_inside(*base);
  }

  void take_update(const Spot& spot, const std::string& group) {
    auto const operands = operands_in(spot);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Path const path = i == 0 ? path_of(operands[i]) : Path();
      if (path.empty()) {
        take(operands[i]);
        continue;
      }
      add(path, true, group);
      if (spot.node().op != "=") add(path, false, group);
      take_inside(operands[i]);
    }
  }

  void take_call(const Spot& call) {
    auto const operands = operands_in(call);
    bool const named = call.node().op.empty();
    for (std::size_t i = 0; i < operands.size(); ++i) {
      bool const is_callee =
          named && i == 0 &&
          std::find(call.node().arguments.begin(), call.node().arguments.end(), operands[i].range()) == call.node().arguments.end();
      is_callee ? take_callee(operands[i], call.node()) : take_argument(operands[i]);
    }
  }

  void take_callee(const Spot& callee, const Node& call) {
    if (callee.node().form != Form::member) return take(callee);
    Path path = path_of(callee);
    if (path.empty()) {
      for (const Spot& operand : operands_in(callee)) take(operand);
      return;
    }
    path.pop_back();  // the function's name
    add(path, !call.keeps_object);
    take_inside(callee);
  }

  void take_argument(const Spot& argument) {
    Spot const bare = unwrapped(argument);
    bool const address = bare.node().form == Form::unary && bare.node().op == "&" && !operands_in(bare).empty();
    Spot const place = address ? unwrapped(operands_in(bare).front()) : bare;
    Path path = path_of(place);
    if (path.empty()) return take(argument);
    take_inside(place);
    const TypeFacts& passed = argument.converted();
    bool const by_reference = !argument.is_value() && !passed.is_const && passed.type_class != TypeClass::dependent;
    bool const through = is_pointer(passed) && !points_to_const(passed);
    bool const view = passed.spelling.starts_with("std::span<") && !passed.spelling.starts_with("std::span<const ");
    add(path, address || !is_pointer(place.node().type) ? through || view || (by_reference && !address) : by_reference);
    if (address || !is_pointer(place.node().type)) return;
    path.emplace_back("*");
    add(path, through);
  }

  std::vector<Access> accesses_;
};

}  // namespace

bool is_update(const Node& node) {
  if (node.form == Form::assignment) return true;
  if (node.form != Form::unary && node.kind != NodeKind::call) return false;
  if (node.op == "++" || node.op == "--") return true;
  bool const compares = node.op == "==" || node.op == "!=" || node.op == "<=" || node.op == ">=";
  return node.kind == NodeKind::call && node.op.ends_with("=") && !compares;
}

std::vector<Access> accesses_of(const Spot& statement) {
  Collector collector;
  collector.take_statement(statement);
  return std::move(collector).all();
}

bool holds(const Access& outer, const Access& inner) {
  if (outer.path.size() > inner.path.size() || !std::equal(outer.path.begin(), outer.path.end(), inner.path.begin())) return false;
  return std::find(inner.path.begin() + static_cast<std::ptrdiff_t>(outer.path.size()), inner.path.end(), "*") == inner.path.end();
}

bool conflict(const Access& one, const Access& other) {
  if (!one.group.empty() && one.group == other.group && one.path == other.path) return false;
  bool const one_is_outer = one.path.size() <= other.path.size();
  const Access& outer = one_is_outer ? one : other;
  const Access& inner = one_is_outer ? other : one;
  // Where a pointer is changed, what it points to is another place.
  if (outer.writes) return std::equal(outer.path.begin(), outer.path.end(), inner.path.begin());
  return inner.writes && holds(outer, inner);
}

bool is_accumulated(const Spot& declaration) {
  const Tree& tree = *declaration.tree;
  for (int i = 0; i < static_cast<int>(tree.scope->nodes.size()); ++i) {
    Spot const spot = spot_at(tree, i);
    if (spot.outer != i || spot.node().form != Form::assignment || spot.node().op == "=" || spot.node().children.empty()) continue;
    if (children_of(spot).front().text() == declaration.node().name) return true;
  }
  return false;
}

}  // namespace redproof::mutants
