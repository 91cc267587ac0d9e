#include <array>
#include <string>
#include <utility>

#include "mutants/driver/generate/families.h"

namespace redproof::mutants {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<Pair, 4> variants = {{{"__nv_fp8_e4m3", "__nv_fp8_e5m2"},
                                           {"__nv_fp8x2_e4m3", "__nv_fp8x2_e5m2"},
                                           {"__nv_fp8x4_e4m3", "__nv_fp8x4_e5m2"},
                                           {"__NV_E4M3", "__NV_E5M2"}}};

// What a function is declared with, others rely on.
bool is_in_body(const Spot& spot) {
  Range const body = spot.tree->scope->shape.body;
  return body.begin <= spot.range().begin && spot.range().end <= body.end;
}

}  // namespace

void fp8_variant(const Spot& spot, Changes& changes) {
  if (!is_in_body(spot)) return;
  for (auto const& [one, other] : variants) {
    if (spot.text() == one) changes.push_back({spot.range(), std::string(other)});
    if (spot.text() == other) changes.push_back({spot.range(), std::string(one)});
  }
}

void fp8_no_saturate(const Spot& spot, Changes& changes) {
  if (spot.node().form == Form::name && spot.node().name == "__NV_SATFINITE") changes.push_back({spot.range(), "__NV_NOSAT"});
}

}  // namespace redproof::mutants
