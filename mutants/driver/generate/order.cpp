#include <algorithm>
#include <optional>

#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/accesses.h"
#include "mutants/driver/generate/families.h"
#include "mutants/driver/generate/suppress.h"

namespace redproof::mutants {
namespace {

// An expression that does something and goes on with the next statement.
bool can_move(const Spot& spot) {
  const Node& node = spot.node();
  const Node& outer = spot.tree->at(spot.outer);
  bool const fixed = node.from_macro || node.is_constant || outer.from_macro || outer.is_constant;
  bool const call = node.kind == NodeKind::call && node.form == Form::other;
  if (fixed || !(is_update(node) || call) || node.never_returns || !stands_as_statement(spot)) return false;
  return spot.tree->text(statement_of(spot)).ends_with(";") && arid_reason(spot).empty();
}

// The statement of the same block that begins with the next token.
std::optional<Spot> next_statement(const Spot& spot) {
  auto const block = parent_of(spot);
  if (!block || block->node().kind != NodeKind::compound) return std::nullopt;
  std::size_t const begin = token_at(spot.tree->file->text, statement_of(spot).end).begin;
  for (const Spot& sibling : children_of(*block))
    if (sibling.range().begin == begin) return sibling;
  return std::nullopt;
}

// The first would be done again on what the second did, so that it is as if the second were deleted.
bool would_undo(const std::vector<Access>& accesses, const Spot& second, const std::vector<Access>& later) {
  const Access& assigned = accesses.front();
  if (assigned.group != "=" || !is_update(second.node())) return false;
  bool const undone = std::all_of(later.begin(), later.end(), [&](const Access& one) { return !one.writes || holds(assigned, one); });
  return undone && std::none_of(accesses.begin() + 1, accesses.end(), [&](const Access& read) {
           return std::any_of(later.begin(), later.end(), [&](const Access& one) { return conflict(read, one); });
         });
}

bool order_matters(const Spot& first, const Spot& second) {
  auto const accesses = accesses_of(first), later = accesses_of(second);
  bool const conflicts = std::any_of(accesses.begin(), accesses.end(), [&](const Access& one) {
    return std::any_of(later.begin(), later.end(), [&](const Access& other) { return conflict(one, other); });
  });
  return conflicts && !would_undo(accesses, second, later);
}

}  // namespace

void statement_moved(const Spot& spot, Changes& changes) {
  if (!can_move(spot)) return;
  auto const next = next_statement(spot);
  if (!next || !can_move(*next) || !order_matters(spot, *next)) return;
  Range const first = statement_of(spot), second = statement_of(*next);
  std::string const between(spot.tree->text({first.end, second.begin}));
  std::string text = std::string(spot.tree->text(second)) + between + std::string(spot.tree->text(first));
  changes.push_back({{first.begin, second.end}, std::move(text), second.begin});
}

}  // namespace redproof::mutants
