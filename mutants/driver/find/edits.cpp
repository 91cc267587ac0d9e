#include "mutants/driver/find/edits.h"

#include <fmt/format.h>

#include <algorithm>

#include "mutants/driver/find/token.h"
#include "mutants/driver/find/tree_edits.h"

namespace redproof::mutants {
namespace {

std::ptrdiff_t lines(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

std::string with_crlf(const std::string& text) {
  std::string changed;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) changed += '\r';
    changed += text[i];
  }
  return changed;
}

}  // namespace

Replacement keeping_lines(std::string_view source, Replacement replacement) {
  Range const range = replacement.range;
  std::string_view const old = source.substr(range.begin, range.end - range.begin);
  std::ptrdiff_t const missing = lines(old) - lines(replacement.text);
  if (missing <= 0) return replacement;
  if (old.find("\\\n") != std::string_view::npos || old.find("\\\r\n") != std::string_view::npos)
    throw Stale{"it would take lines out of a macro's body"};
  bool const crlf = old.find("\r\n") != std::string_view::npos;
  for (std::ptrdiff_t i = 0; i < missing; ++i) replacement.text += crlf ? "\r\n" : "\n";
  return replacement;
}

std::vector<Replacement> apply_text_edit(const Edit& edit, std::string_view source) {
  std::string find = edit.word("find");
  std::string replace = edit.word("replace");
  if (source.find("\r\n") != std::string_view::npos) {
    find = with_crlf(find);
    replace = with_crlf(replace);
  }
  auto const first = source.find(find);
  if (first == std::string_view::npos) throw Stale{fmt::format("`{}` is nowhere in {}", first_line(find), edit.file)};
  auto const second = source.find(find, first + 1);
  if (second != std::string_view::npos)
    throw Stale{fmt::format("`{}` is at two places of {}: lines {} and {}", first_line(find), edit.file, line_of(source, first),
                            line_of(source, second))};
  return {keeping_lines(source, {{first, first + find.size()}, replace})};
}

std::vector<Replacement> apply_tree_edit(const Edit& edit, const FileSyntax& file) {
  const Scope& scope = only_scope(file, edit.function, edit.signature);
  if (scope.nodes.empty()) throw Stale{scope.name + " has no body in " + file.path};
  Site const site = narrow({&file, &scope, scope.nodes.front().range}, edit.word("within"));
  std::vector<Replacement> replacements = tree_edit(edit, site);
  // A moved statement takes its line breaks along, so only what stands alone is padded.
  if (edit.kind != EditKind::move_statement)
    for (Replacement& replacement : replacements) replacement = keeping_lines(file.text, replacement);
  return replacements;
}

std::string spliced(std::string_view source, Range range, const std::vector<Replacement>& replacements) {
  std::string text;
  std::size_t at = range.begin;
  for (const Replacement& replacement : replacements) {
    text.append(source.substr(at, replacement.range.begin - at)).append(replacement.text);
    at = replacement.range.end;
  }
  return text.append(source.substr(at, range.end - at));
}

std::string apply_all(std::string_view source, std::vector<Replacement> replacements) {
  std::sort(replacements.begin(), replacements.end(), [](const Replacement& a, const Replacement& b) { return a.range < b.range; });
  std::string changed;
  std::size_t at = 0;
  for (const Replacement& replacement : replacements) {
    if (replacement.range.begin < at) throw Stale{"two of its edits overlap"};
    changed.append(source.substr(at, replacement.range.begin - at)).append(replacement.text);
    at = replacement.range.end;
  }
  changed.append(source.substr(at));
  if (changed == source) throw Stale{"it changes nothing"};
  if (lines(changed) != lines(source))
    throw Stale{fmt::format("it changes the number of lines from {} to {}", lines(source), lines(changed))};
  return changed;
}

}  // namespace redproof::mutants
