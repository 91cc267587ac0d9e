#include "mutants/driver/generate/identity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gates/runner/printable.h"
#include "mutants/driver/find/token.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

std::string normalised(std::string_view text) { return fmt::format("{}", fmt::join(token_texts(text), " ")); }

// On one line, and cut where it would fill it.
std::string shown(std::string_view text) {
  std::string line;
  for (char const c : text) {
    bool const space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return gates::printable(line, 80);
}

std::size_t tokens_before(const Spot& spot, std::size_t at) {
  Range const range = spot.range();
  return at <= range.begin ? 0 : token_texts(spot.tree->text({range.begin, at})).size();
}

}  // namespace

Change trimmed(const Tree& tree, const Change& change) {
  std::string_view const old = tree.text(change.range);
  std::string_view const text = change.text;
  std::size_t const shorter = std::min(old.size(), text.size());
  std::size_t head = 0;
  while (head < shorter && old[head] == text[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && old[old.size() - 1 - tail] == text[text.size() - 1 - tail]) ++tail;
  return {{change.range.begin + head, change.range.end - tail}, std::string(text.substr(head, text.size() - head - tail))};
}

std::string Identities::next(std::string_view operator_name, const Spot& spot, const Change& change) {
  std::string const key = fmt::format("{}\n{}\n{}{}\n{}\n{} {}\n{}", operator_name, spot.tree->file->path, spot.tree->scope->name,
                                      spot.tree->scope->signature, normalised(spot.text()), tokens_before(spot, change.range.begin),
                                      token_texts(spot.tree->text(change.range)).size(), normalised(change.text));
  return fmt::format("{}\n{}", key, ordinals_[key]++);
}

std::string id_of(std::string_view operator_name, const std::string& identity) {
  return fmt::format("{}/{}", operator_name, sha256(identity).substr(0, 12));
}

std::pair<std::size_t, std::size_t> place_of(std::string_view source, std::size_t at) {
  auto const before = at == 0 ? std::string_view::npos : source.rfind('\n', at - 1);
  return {line_of(source, at), at - (before == std::string_view::npos ? 0 : before + 1) + 1};
}

std::string defect_of(const Spot& spot, const Change& change) {
  auto const [line, column] = place_of(spot.tree->file->text, change.range.begin);
  std::string const old = shown(spot.tree->text(change.range));
  std::string const text = shown(change.text);
  std::string const what = text.empty() || text == ";" ? fmt::format("`{}` goes", old) : fmt::format("`{}` becomes `{}`", old, text);
  return fmt::format("{} in {} ({}:{}:{})", what, spot.tree->scope->symbol, spot.tree->file->path, line, column);
}

}  // namespace redproof::mutants
