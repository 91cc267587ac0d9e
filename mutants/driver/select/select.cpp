#include "mutants/driver/select/select.h"

#include <fmt/format.h>

#include <algorithm>

#include "gates/runner/glob.h"
#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

bool names_function(const std::string& written, const std::string& function) {
  if (function.empty()) return false;
  return written == function || function.ends_with("::" + written) || written.ends_with("::" + function);
}

// Each word must fit at least one mutant; no word at all fits every one.
template <typename Fits>
std::vector<Mutant> fitting(const std::vector<Mutant>& all, const std::vector<Mutant>& mutants, const std::vector<std::string>& words,
                            const char* option, const Fits& fits) {
  if (words.empty()) return mutants;
  auto const one_fits = [&](const Mutant& mutant, const std::string& word) {
    return std::any_of(mutant.edits.begin(), mutant.edits.end(), [&](const Edit& edit) { return fits(edit, word); });
  };
  for (const std::string& word : words)
    if (std::none_of(all.begin(), all.end(), [&](const Mutant& mutant) { return one_fits(mutant, word); }))
      throw gates::Refusal(fmt::format("{} {}: no mutant is there", option, gates::printable(word)));
  std::vector<Mutant> kept;
  std::copy_if(mutants.begin(), mutants.end(), std::back_inserter(kept), [&](const Mutant& mutant) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return one_fits(mutant, word); });
  });
  return kept;
}

std::size_t line_at(const std::string& text, std::size_t offset) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

// Edits keep the number of lines.
std::vector<std::size_t> changed_lines(const MutatedFile& file) {
  std::vector<std::size_t> lines;
  std::size_t line = 1;
  for (std::size_t a = 0, b = 0; a < file.before.size() && b < file.after.size(); ++line) {
    auto const end_a = std::min(file.before.find('\n', a), file.before.size());
    auto const end_b = std::min(file.after.find('\n', b), file.after.size());
    if (file.before.compare(a, end_a - a, file.after, b, end_b - b) != 0) lines.push_back(line);
    a = end_a + 1;
    b = end_b + 1;
  }
  return lines;
}

// A gap lies inside a span only with the lines on both of its sides.
bool meets(const TouchedLines& touched, const LineSpan& span) {
  if (touched.gap) return span.first <= touched.first && touched.last <= span.last;
  return touched.first <= span.last && span.first <= touched.last;
}

bool meets_line(const TouchedLines& touched, std::size_t line) { return touched.first <= line && line <= touched.last; }

bool is_touched(const MutatedFile& file, const FileDiff& diff, const std::vector<LineSpan>& spans) {
  for (std::size_t const line : changed_lines(file))
    for (const TouchedLines& touched : diff.touched) {
      if (meets_line(touched, line)) return true;
      for (const LineSpan& span : spans)
        if (span.first <= line && line <= span.last && meets(touched, span)) return true;
    }
  return false;
}

}  // namespace

std::vector<Mutant> select_by_place(const std::vector<Mutant>& mutants, const Selection& selection) {
  auto const in_files = fitting(mutants, mutants, selection.files, "--file",
                                [](const Edit& edit, const std::string& word) { return gates::glob_matches(word, edit.file); });
  return fitting(mutants, in_files, selection.functions, "--function",
                 [](const Edit& edit, const std::string& word) { return names_function(word, edit.function); });
}

std::vector<Mutant> select_by_path(const std::vector<Mutant>& mutants, const std::set<std::string>& paths, const ChangedKillers& killers,
                                   const fs::path& root) {
  auto const named = [&](const Edit& edit) { return paths.contains(edit.file) || paths.contains(resolve(root, edit.file)); };
  std::vector<Mutant> kept;
  std::copy_if(mutants.begin(), mutants.end(), std::back_inserter(kept), [&](const Mutant& mutant) {
    return killers.concern(mutant) || std::any_of(mutant.edits.begin(), mutant.edits.end(), named);
  });
  return kept;
}

Spans spans_of(const std::map<std::string, FileSyntax>& syntax) {
  Spans spans;
  for (const auto& [path, file] : syntax)
    for (const Scope& scope : file.scopes) {
      // A record's methods are functions of their own: what changes in one says nothing of the others.
      if (scope.nodes.empty() || scope.kind == ScopeKind::record) continue;
      Range const range = scope.nodes.front().range;
      if (range.end > range.begin && range.end <= file.text.size())
        spans[path].push_back({line_at(file.text, range.begin), line_at(file.text, range.end - 1)});
    }
  return spans;
}

bool is_touched(const Finding& finding, const Diff& diff, const Spans& spans) {
  for (const MutatedFile& file : finding.files)
    for (const FileDiff& changed : diff) {
      if (changed.after != file.path) continue;
      auto const found = spans.find(file.path);
      if (is_touched(file, changed, found == spans.end() ? std::vector<LineSpan>{} : found->second)) return true;
    }
  return false;
}

std::vector<std::string> files_to_parse(const std::vector<Finding>& findings, const Diff& diff) {
  std::set<std::string> const paths = paths_of(diff);
  std::set<std::string> files;
  for (const Finding& finding : findings)
    for (const MutatedFile& file : finding.files)
      if (paths.contains(file.path)) files.insert(file.path);
  return {files.begin(), files.end()};
}

std::vector<std::size_t> sample_of(const std::vector<std::string>& ids, std::size_t size, std::uint64_t seed) {
  std::vector<std::pair<std::string, std::size_t>> drawn;
  for (std::size_t i = 0; i < ids.size(); ++i) drawn.emplace_back(sha256(fmt::format("{} {}", seed, ids[i])), i);
  std::sort(drawn.begin(), drawn.end());
  if (size > 0 && size < drawn.size()) drawn.resize(size);
  std::vector<std::size_t> positions;
  for (const auto& [hash, position] : drawn) positions.push_back(position);
  std::sort(positions.begin(), positions.end());
  return positions;
}

}  // namespace redproof::mutants
