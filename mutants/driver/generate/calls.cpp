#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/families.h"
#include "mutants/driver/generate/words.h"

namespace redproof::mutants {
namespace {

struct Exchange {
  std::string_view from;
  std::array<std::string_view, 2> to;
};

// Ties to even, ties away, towards zero, down, up: the two nearest wrong ones of each.
constexpr std::array<Exchange, 22> roundings = {{{"round", {"nearbyint", "trunc"}},
                                                 {"nearbyint", {"round", "trunc"}},
                                                 {"rint", {"round", "trunc"}},
                                                 {"trunc", {"nearbyint", "floor"}},
                                                 {"floor", {"ceil", "trunc"}},
                                                 {"ceil", {"floor", "trunc"}},
                                                 {"lrint", {"lround", ""}},
                                                 {"lround", {"lrint", ""}},
                                                 {"llrint", {"llround", ""}},
                                                 {"llround", {"llrint", ""}},
                                                 {"roundf", {"nearbyintf", "truncf"}},
                                                 {"nearbyintf", {"roundf", "truncf"}},
                                                 {"rintf", {"roundf", "truncf"}},
                                                 {"truncf", {"nearbyintf", "floorf"}},
                                                 {"floorf", {"ceilf", "truncf"}},
                                                 {"ceilf", {"floorf", "truncf"}},
                                                 {"lrintf", {"lroundf", ""}},
                                                 {"lroundf", {"lrintf", ""}},
                                                 {"_mm256_cvtps_epi32", {"_mm256_cvttps_epi32", ""}},
                                                 {"_mm256_cvttps_epi32", {"_mm256_cvtps_epi32", ""}},
                                                 {"_mm_cvtps_epi32", {"_mm_cvttps_epi32", ""}},
                                                 {"_mm_cvttps_epi32", {"_mm_cvtps_epi32", ""}}}};

// Of CUDA's functions that are told by what stands behind `_r`: to nearest, to zero, up, down. Others have no variant to become.
constexpr std::array<std::string_view, 39> directed = {
    "__float2int",     "__float2uint",   "__float2ll",       "__float2ull",   "__double2int", "__double2uint", "__double2ll",
    "__double2ull",    "__double2float", "__int2float",      "__uint2float",  "__ll2float",   "__ull2float",   "__ll2double",
    "__ull2double",    "__fadd",         "__fsub",           "__fmul",        "__fmaf",       "__fdiv",        "__frcp",
    "__fsqrt",         "__dadd",         "__dsub",           "__dmul",        "__fma",        "__ddiv",        "__drcp",
    "__dsqrt",         "__float2half",   "__float2bfloat16", "__half2int",    "__half2uint",  "__half2ll",     "__bfloat162int",
    "__bfloat162uint", "__bfloat162ll",  "__int2half",       "__int2bfloat16"};

constexpr std::array<Exchange, 14> library = {{{"min", {"max", ""}},
                                               {"max", {"min", ""}},
                                               {"begin", {"end", ""}},
                                               {"end", {"begin", ""}},
                                               {"front", {"back", ""}},
                                               {"back", {"front", ""}},
                                               {"any_of", {"all_of", ""}},
                                               {"all_of", {"any_of", ""}},
                                               {"none_of", {"any_of", ""}},
                                               {"lower_bound", {"upper_bound", ""}},
                                               {"upper_bound", {"lower_bound", ""}},
                                               {"fmin", {"fmax", ""}},
                                               {"fmax", {"fmin", ""}},
                                               {"starts_with", {"ends_with", ""}}}};

// Where the name stands in the call, before its brackets and template arguments.
Range name_in(const Spot& call) {
  const std::string& name = call.node().name;
  std::size_t const stop = call.node().arguments.empty() ? call.range().end : call.node().arguments.front().begin;
  Range found{0, 0};
  for (const Token& token : lex(call.tree->text({call.range().begin, stop}))) {
    Range const range{call.range().begin + token.begin, call.range().begin + token.end};
    if (call.tree->text(range) == name) found = range;
  }
  return found;
}

template <std::size_t n>
void exchange(const Spot& call, const std::array<Exchange, n>& table, Changes& changes) {
  auto const row = std::find_if(table.begin(), table.end(), [&](const Exchange& one) { return one.from == call.node().name; });
  Range const name = row == table.end() ? Range{} : name_in(call);
  if (name.end == 0) return;
  for (std::string_view const to : row->to)
    if (!to.empty()) changes.push_back({name, std::string(to)});
}

std::string other_direction(const std::string& name) {
  if (name == "__float2half" || name == "__float2bfloat16") return name + "_rz";
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> ends = {
      {{"_rn", "_rz"}, {"_rz", "_rn"}, {"_ru", "_rd"}, {"_rd", "_ru"}}};
  for (auto const& [from, to] : ends) {
    std::string const stem = name.ends_with(from) ? name.substr(0, name.size() - from.size()) : std::string();
    if (std::find(directed.begin(), directed.end(), stem) != directed.end()) return stem + std::string(to);
  }
  return {};
}

bool comes_from_library(const Spot& call) {
  const std::string& qualified = call.node().qualified;
  return qualified.starts_with("std::") || qualified.starts_with("_mm") || qualified == call.node().name || qualified.empty();
}

// What something is capped by, and not what is capped.
bool is_limit(const Spot& argument) {
  Spot const bare = unwrapped(argument);
  std::string_view const text = bare.text();
  if (bare.node().kind == NodeKind::literal || text.find("numeric_limits") != std::string_view::npos || text.starts_with("-")) return true;
  const std::string& name = bare.node().name;
  std::initializer_list<std::string_view> const words = {"max",     "min",      "most", "least",   "limit",
                                                         "largest", "smallest", "cap",  "ceiling", "floor"};
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return has_word(name, word); });
}

bool names_extreme(std::string_view name) {
  return name == "min" || name == "max" || name == "fmin" || name == "fmax" || name == "fminf" || name == "fmaxf" || name == "__hmin" ||
         name == "__hmax" || name.find("_min_p") != std::string_view::npos || name.find("_max_p") != std::string_view::npos;
}

}  // namespace

void rounding_replaced(const Spot& spot, Changes& changes) {
  if (!is_call(spot) || !comes_from_library(spot)) return;
  exchange(spot, roundings, changes);
  std::string const other = other_direction(spot.node().name);
  Range const name = other.empty() ? Range{} : name_in(spot);
  if (name.end > 0) changes.push_back({name, other});
}

void saturation_removed(const Spot& spot, Changes& changes) {
  if (!is_call(spot) || !comes_from_library(spot)) return;
  auto const arguments = arguments_of(spot);
  if (spot.node().name == "clamp" && arguments.size() == 3) changes.push_back({spot.range(), "(" + std::string(arguments[0].text()) + ")"});
  if (spot.node().name == "__saturatef" && arguments.size() == 1)
    changes.push_back({spot.range(), "(" + std::string(arguments[0].text()) + ")"});
  if (!names_extreme(spot.node().name) || arguments.size() != 2) return;
  bool const first = is_limit(arguments[0]);
  if (first == is_limit(arguments[1])) return;
  changes.push_back({spot.range(), "(" + std::string(arguments[first ? 1 : 0].text()) + ")"});
}

void std_swapped(const Spot& spot, Changes& changes) {
  if (is_call(spot) && comes_from_library(spot)) exchange(spot, library, changes);
}

}  // namespace redproof::mutants
