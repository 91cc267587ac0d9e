#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/accesses.h"
#include "mutants/driver/generate/families.h"
#include "mutants/driver/generate/words.h"

namespace redproof::mutants {
namespace {

constexpr std::array<std::string_view, 13> extremes = {"INFINITY",   "HUGE_VAL",     "HUGE_VALF",          "FLT_MAX",   "DBL_MAX",
                                                       "INT_MAX",    "INT_MIN",      "LLONG_MAX",          "LLONG_MIN", "UINT_MAX",
                                                       "CUDART_INF", "CUDART_INF_F", "CUDART_MAX_NORMAL_F"};
constexpr std::array<std::string_view, 4> limits = {"infinity", "max", "min", "lowest"};

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_on_device(const Spot& spot) { return spot.tree->scope->shape.on_device; }

bool is_constant(const Spot& spot) { return spot.node().is_constant || spot.tree->at(spot.outer).is_constant; }

// The largest or smallest value there is, as a macro or by numeric_limits.
bool is_extreme(std::string_view text) {
  auto tokens = token_texts(text);
  if (!tokens.empty() && tokens.front() == "-") tokens.erase(tokens.begin());
  if (tokens.size() == 1) return is_one_of(extremes, tokens.front());
  bool const call = tokens.size() > 6 && tokens.back() == ")" && tokens[tokens.size() - 2] == "(";
  auto const begin = call && tokens[0] == "std" ? 2 : 0;
  return call && tokens[static_cast<std::size_t>(begin)] == "numeric_limits" && is_one_of(limits, tokens[tokens.size() - 3]);
}

// Where a value is kept, chosen or returned, and not compared.
bool starts_something(const Spot& spot) {
  const Node& node = spot.node();
  if (node.kind == NodeKind::braced_list) {
    auto const above = parent_of(spot);
    return above && above->node().form != Form::cast;
  }
  return node.kind == NodeKind::declaration || (node.form == Form::assignment && node.op == "=") || node.kind == NodeKind::conditional ||
         node.form == Form::return_statement;
}

// What is converted, by a cast or by CUDA's functions for 16 bits.
Spot converted_value(Spot spot) {
  for (Spot next = unwrapped(spot);; next = unwrapped(children_of(next).back())) {
    spot = next;
    bool const call =
        spot.node().kind == NodeKind::call && (spot.node().name.starts_with("__float2") || spot.node().name.starts_with("__double2"));
    if ((spot.node().form != Form::cast && !call) || spot.node().children.empty() || is_extreme(spot.text())) return spot;
  }
}

std::string number(const TypeFacts& type, char digit) {
  if (type.type_class != TypeClass::floating) return std::string(1, digit);
  return std::string(1, digit) + (type.bits == 32 ? ".0f" : ".0");
}

bool is_zero(std::string_view text) { return text == "0" || text == "0.f" || text == "0.0f" || text == "0." || text == "0.0"; }

bool includes(const FileSyntax& file, std::string_view header) {
  for (auto at = file.text.find(header); at != std::string::npos; at = file.text.find(header, at + 1)) {
    auto const line = file.text.rfind('\n', at);
    std::size_t const begin = line == std::string::npos ? 0 : line + 1;
    auto const tokens = token_texts(std::string_view(file.text).substr(begin, at - begin));
    if (tokens.size() >= 2 && tokens[0] == "#" && tokens[1] == "include") return true;
  }
  return false;
}

// What rounds a float to fewer bits and back, open for it; empty where the source has neither type.
std::string rounding_in(const FileSyntax& file) {
  if (includes(file, "cuda_bf16.h")) return "__bfloat162float(__float2bfloat16(";
  return includes(file, "cuda_fp16.h") ? "__half2float(__float2half(" : "";
}

bool names(const Spot& value, std::string_view place) {
  auto const tokens = token_texts(value.text());
  return std::find(tokens.begin(), tokens.end(), place) != tokens.end();
}

// By their text, so that macros are among them.
bool is_warp_size(std::string_view text) {
  return text == "32" || text == "32u" || (token_texts(text).size() == 1 && has_word(text, "warp") && has_word(text, "size"));
}

bool is_lane_mask(std::string_view text) { return text == "31" || text == "31u" || text == "0x1f" || text == "0x1fu"; }

// Factors and divisors, and what an assignment steps by.
std::vector<Spot> strides_of(const Spot& spot) {
  const std::string& op = spot.node().op;
  bool const product = op == "*" || op == "/" || op == "%";
  bool const step = op == "+=" || op == "-=" || op == "*=" || op == "/=" || op == "%=";
  auto const operands = product || step ? operands_of(spot) : std::nullopt;
  if (!operands) return {};
  return step ? std::vector{operands->right} : std::vector{operands->left, operands->right};
}

// Offset and width of a shuffle, behind its mask and its value.
std::vector<Spot> distances_of(const Spot& spot) {
  bool const shuffle = spot.node().kind == NodeKind::call && spot.node().name.starts_with("__shfl");
  auto arguments = shuffle ? arguments_of(spot) : std::vector<Spot>();
  arguments.erase(arguments.begin(), arguments.begin() + std::min<std::ptrdiff_t>(2, std::ssize(arguments)));
  return arguments;
}

// Where the offsets of a loop of shuffles start.
std::vector<Spot> first_offset(const Spot& spot) {
  if (spot.node().kind != NodeKind::declaration || spot.node().children.empty()) return {};
  auto const loop = ancestor(spot, [](const Spot& one) { return one.node().kind == NodeKind::for_loop; });
  auto const parts = loop ? children_of(*loop) : std::vector<Spot>();
  bool const in_head = !parts.empty() && spot.range().end <= parts.back().range().begin;
  return in_head && parts.back().text().find("__shfl") != std::string_view::npos ? std::vector{children_of(spot).back()}
                                                                                 : std::vector<Spot>();
}

void halve(const std::vector<Spot>& spots, std::string_view half_of_16, Changes& changes) {
  for (const Spot& spot : spots) {
    Spot const bare = unwrapped(spot);
    if (is_constant(bare)) continue;
    if (is_warp_size(bare.text())) changes.push_back({bare.range(), "16"});
    if (!half_of_16.empty() && bare.text() == "16") changes.push_back({bare.range(), std::string(half_of_16)});
  }
}

}  // namespace

// A reduction starts from what is no identity of it.
void reduce_identity(const Spot& spot, Changes& changes) {
  if (!starts_something(spot)) return;
  for (const Spot& child : children_of(spot)) {
    Spot const value = converted_value(child);
    if (!is_constant(value) && is_extreme(value.text())) changes.push_back({value.range(), number(value.node().type, '0')});
  }
  if (spot.node().kind != NodeKind::declaration || !is_on_device(spot) || spot.node().children.empty() || !is_accumulated(spot)) return;
  Spot const start = children_of(spot).back();
  if (start.node().kind == NodeKind::literal && !is_constant(start) && is_zero(start.text()))
    changes.push_back({start.range(), number(start.node().type, '1')});
}

// Each step of a sum of floats is rounded to the 16 bits that its terms may have had.
void dtype_accum(const Spot& spot, Changes& changes) {
  if (spot.node().form != Form::assignment || !is_on_device(spot)) return;
  std::string const& op = spot.node().op;
  auto const operands = op == "+=" || op == "=" ? operands_of(spot) : std::nullopt;
  if (!operands || operands->left.node().type.type_class != TypeClass::floating || operands->left.node().type.bits != 32) return;
  std::string const place(operands->left.text());
  bool const plain = place.find('(') == std::string::npos && place.find("++") == std::string::npos && place.find("--") == std::string::npos;
  std::string const open = rounding_in(*spot.tree->file);
  if (!plain || open.empty() || (op == "=" && (operands->left.node().form != Form::name || !names(operands->right, place)))) return;
  std::string const value(operands->right.text());
  changes.push_back({spot.range(), place + " = " + open + (op == "=" ? value : place + " + (" + value + ")") + "))"});
}

// Half a warp is taken for all of it.
void warp_stride(const Spot& spot, Changes& changes) {
  if (!is_on_device(spot)) return;
  halve(strides_of(spot), "", changes);
  halve(distances_of(spot), "8", changes);
  halve(first_offset(spot), "8", changes);
  auto const masked = spot.node().op == "&" || spot.node().op == "&=" ? operands_of(spot) : std::nullopt;
  if (!masked) return;
  for (const Spot& side : {unwrapped(masked->left), unwrapped(masked->right)})
    if (!is_constant(side) && is_lane_mask(side.text())) changes.push_back({side.range(), "15"});
}

}  // namespace redproof::mutants
