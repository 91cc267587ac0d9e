#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/families.h"

namespace redproof::mutants {
namespace {

struct Integer {
  std::uint64_t value;
  int base;
  std::string suffix;
};

std::optional<Integer> integer_of(std::string_view text) {
  std::string digits;
  for (char const c : text)
    if (c != '\'') digits += c;
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16;
  if (digits.starts_with("0b") || digits.starts_with("0B")) base = 2;
  std::size_t const start = base == 10 ? 0 : 2;
  std::uint64_t value = 0;
  auto const [end, failed] = std::from_chars(digits.data() + start, digits.data() + digits.size(), value, base);
  if (failed != std::errc() || end == digits.data() + start) return std::nullopt;
  return Integer{value, base, digits.substr(static_cast<std::size_t>(end - digits.data()))};
}

std::string written(const Integer& like, std::uint64_t value) {
  return (like.base == 16 ? fmt::format("0x{:x}", value) : std::to_string(value)) + like.suffix;
}

void integer_literal(const Spot& spot, Changes& changes) {
  auto const literal = integer_of(spot.text());
  if (!literal) return;
  std::uint64_t const value = literal->value;
  if (value != UINT64_MAX) changes.push_back({spot.range(), written(*literal, value + 1)});
  if (value > 0) {
    changes.push_back({spot.range(), written(*literal, value - 1)});
    changes.push_back({spot.range(), written(*literal, 0)});
  } else if (spot.converted().type_class == TypeClass::signed_integer) {
    auto const parent = parent_of(spot);
    if (!parent || parent->node().form != Form::subscript) changes.push_back({spot.range(), "-1"});
  }
}

std::string float_suffix(std::string_view text) {
  bool const hex = text.starts_with("0x") || text.starts_with("0X");
  char const last = text.back();
  bool const marked = last == 'l' || last == 'L' || (!hex && (last == 'f' || last == 'F')) ||
                      (hex && (last == 'f' || last == 'F') && text.find_first_of("pP") != std::string_view::npos);
  return marked ? std::string(1, last) : std::string();
}

void float_literal(const Spot& spot, Changes& changes) {
  std::string const suffix = float_suffix(spot.text());
  std::string_view const digits = spot.text().substr(0, spot.text().size() - suffix.size());
  bool const zero = digits.find_first_not_of("0.") == std::string_view::npos;
  bool const one = digits == "1" || digits == "1.0" || digits == "1.";
  if (!zero) changes.push_back({spot.range(), "0.0" + suffix});
  if (!one) changes.push_back({spot.range(), "1.0" + suffix});
  if (!zero) changes.push_back({spot.range(), "(-" + std::string(spot.text()) + ")"});
}

// A value of the type that stands for nothing; empty where there is none that surely compiles.
std::string nothing_of(const TypeFacts& type) {
  switch (type.type_class) {
    case TypeClass::boolean:
      return "false";
    case TypeClass::signed_integer:
    case TypeClass::unsigned_integer:
      return "0";
    case TypeClass::floating:
      return type.bits == 32 ? "0.0f" : "0.0";
    case TypeClass::pointer:
      return "nullptr";
    default:
      return {};
  }
}

bool is_plain_literal(const Spot& spot) {
  Spot const bare = unwrapped(spot);
  return bare.node().kind == NodeKind::literal || bare.text() == "{}" || bare.text() == "nullptr";
}

bool is_deduced(const Spot& declaration) {
  std::string_view const head = declaration.tree->text({declaration.range().begin, declaration.node().name_at});
  auto const tokens = token_texts(head);
  return std::find(tokens.begin(), tokens.end(), "auto") != tokens.end();
}

// What it returns is then the object itself and not its value.
bool returns_reference(const Spot& statement, const Spot& value) {
  const TypeFacts& result = statement.tree->scope->result;
  if (!ancestor(statement, is_lambda) && result.type_class != TypeClass::none) return result.is_reference;
  Form const form = value.node().form;
  return !value.is_value() && (form == Form::name || form == Form::member || form == Form::subscript);
}

}  // namespace

void constant(const Spot& spot, Changes& changes) {
  if (spot.node().kind != NodeKind::literal) return;
  std::string_view const text = spot.text();
  const TypeFacts& type = spot.node().type;
  if (text == "true" || text == "false") changes.push_back({spot.range(), text == "true" ? "false" : "true"});
  if (spot.converted().spelling.starts_with("std::__cmp_cat::")) return;  // `<=>` compares with 0 alone
  if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) return;
  if (is_integer(type)) integer_literal(spot, changes);
  if (type.type_class == TypeClass::floating) float_literal(spot, changes);
}

void initialiser(const Spot& spot, Changes& changes) {
  const Node& node = spot.node();
  if (node.kind != NodeKind::declaration || node.type.is_reference || node.children.empty()) return;
  Spot const value = children_of(spot).back();
  std::string nothing = nothing_of(node.type);
  bool const equals = value.range().begin > node.name_at && value.range().end == spot.range().end &&
                      spot.tree->text({node.name_at, value.range().begin}).find('=') != std::string_view::npos;
  if (nothing.empty() || !equals || is_plain_literal(value) || is_lambda(value)) return;
  if (is_deduced(spot)) nothing = fmt::format("static_cast<{}>({})", node.type.spelling, nothing);
  changes.push_back({value.range(), nothing});
}

void return_value(const Spot& spot, Changes& changes) {
  if (spot.node().form != Form::return_statement || spot.node().children.empty()) return;
  Spot const value = children_of(spot).front();
  if (returns_reference(spot, value)) return;
  const TypeFacts& type = spot.node().type;
  std::string const nothing = nothing_of(type);
  if (!nothing.empty() && value.text() != "0" && value.text() != "{}") changes.push_back({value.range(), nothing});
  if (type.type_class == TypeClass::boolean) changes.push_back({value.range(), "true"});
  if (is_number(type))
    changes.push_back({value.range(), type.type_class == TypeClass::floating ? (type.bits == 32 ? "1.0f" : "1.0") : "1"});
  // Where the type is deduced from what is returned, braces say nothing.
  bool const deduced = ancestor(spot, is_lambda) || spot.tree->scope->result.type_class == TypeClass::none;
  if (type.type_class == TypeClass::record && spot.node().has_default && !deduced && value.node().kind != NodeKind::braced_list)
    changes.push_back({value.range(), "{}"});
}

}  // namespace redproof::mutants
