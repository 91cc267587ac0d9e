#include "mutants/driver/generate/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "mutants/driver/find/match.h"
#include "mutants/driver/find/token.h"
#include "mutants/driver/generate/identity.h"
#include "mutants/driver/generate/operators.h"
#include "mutants/driver/generate/paths.h"
#include "mutants/driver/generate/suppress.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

bool lies_in(Range inner, Range outer) { return outer.begin <= inner.begin && inner.end <= outer.end; }

// A directive inside would be taken out with the rest.
bool holds_directive(std::string_view text) {
  for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    auto const first = text.find_first_not_of(" \t", at + 1);
    if (first != std::string_view::npos && text[first] == '#') return true;
  }
  return false;
}

// All mutants of one file, whatever operators are asked for: a skip comment is only lost where none of them has anything to skip.
class FileMutants {
 public:
  explicit FileMutants(const FileSyntax& file) : file_(file), comments_(skip_comments(file)) {
    for (const Scope& scope : file.scopes)
      if (!scope.nodes.empty()) add_scope({&file, &scope});
    std::stable_sort(mutants_.begin(), mutants_.end(),
                     [](const Generated& a, const Generated& b) { return a.replacements[0].range.begin < b.replacements[0].range.begin; });
  }

  void take(const std::set<std::string_view>& chosen, Generation& generation) {
    for (Generated& mutant : mutants_)
      if (chosen.contains(mutant.operator_name)) generation.mutants.push_back(std::move(mutant));
    for (const SkipComment& comment : comments_)
      for (const SkippedOperator& one : comment.operators) {
        if (one.used) continue;
        auto const of = one.name.empty()   ? std::string()
                        : one.text.empty() ? " of " + one.name
                                           : fmt::format(" of {} `{}`", one.name, one.text);
        generation.lost.push_back(
            fmt::format("{}:{}: `mutate: skip` suppresses nothing{} ({})", file_.path, comment.line, of, comment.reason));
      }
  }

 private:
  // A method is a scope of its own inside its class.
  bool belongs_elsewhere(const Tree& tree, Range range) const {
    Range const own = tree.scope->nodes.front().range;
    return std::any_of(file_.scopes.begin(), file_.scopes.end(), [&](const Scope& other) {
      if (&other == tree.scope || other.nodes.empty()) return false;
      Range const outer = other.nodes.front().range;
      return outer != own && lies_in(outer, own) && lies_in(range, outer);
    });
  }

  void add_scope(const Tree& tree) {
    std::vector<Spot> spots;
    for (const Spot& spot : spots_of(tree)) {
      const Node& outer = tree.at(spot.outer);
      bool const fixed = spot.node().is_constant || spot.node().from_macro || outer.is_constant || outer.from_macro;
      if (!fixed && !belongs_elsewhere(tree, spot.range())) spots.push_back(spot);
    }
    Changes changes;
    for (const Operator& one : operators())
      for (const Spot& spot : spots) {
        changes.clear();
        one.make(spot, changes);
        for (const Change& change : changes) add_change(one, spot, change);
      }
  }

  void add_change(const Operator& one, const Spot& spot, const Change& change) {
    std::string_view const old = spot.tree->text(change.range);
    if (same_tokens(old, change.text) || holds_directive(old)) return;
    Change const core = trimmed(*spot.tree, change);
    if (!seen_.emplace(core.range.begin, core.range.end, core.text).second) return;
    Generated made;
    try {
      made.replacements = {keeping_lines(file_.text, {change.range, change.text})};
      apply_all(file_.text, made.replacements);
    } catch (const Stale&) {
      return;  // inside a macro's continued lines
    }
    describe(one, spot, change, made);
    suppress(spot, change, made);
    mutants_.push_back(std::move(made));
  }

  void describe(const Operator& one, const Spot& spot, const Change& change, Generated& made) {
    std::string const identity = identities_.next(one.name, spot, change);
    made.operator_name = one.name;
    made.path = file_.path;
    made.function = spot.tree->scope->name;
    made.signature = spot.tree->scope->signature;
    made.site = spot.range();
    std::tie(made.line, made.column) = place_of(file_.text, change.range.begin);
    made.mutant.id = id_of(one.name, identity);
    made.mutant.defect = defect_of(spot, change);
    made.mutant.file = file_.path;
    made.mutant.file_sha256 = sha256(identity);
  }

  void suppress(const Spot& spot, const Change& change, Generated& made) {
    for (SkipComment& comment : comments_) {
      bool const also = change.also_at > 0 && suppresses(comment, made.operator_name, change.text, change.also_at);
      if (!also && !suppresses(comment, made.operator_name, change.text, change.range.begin)) continue;
      made.mutant.suppressed = comment.reason;
    }
    if (made.mutant.suppressed.empty()) made.mutant.suppressed = arid_reason(spot);
  }

  const FileSyntax& file_;
  std::vector<SkipComment> comments_;
  Identities identities_;
  std::set<std::tuple<std::size_t, std::size_t, std::string>> seen_;
  std::vector<Generated> mutants_;
};

}  // namespace

Finding Generation::finding_of(const Generated& generated) const {
  const std::string& before = texts.at(generated.path);
  std::string after = apply_all(before, generated.replacements);
  Finding finding;
  finding.files.push_back({generated.path, before, after, sha256(before), sha256(after), generated.replacements});
  return finding;
}

Generation generate(const GenerateOptions& options) {
  std::set<std::string_view> chosen;
  for (const Operator* one : chosen_operators(options.operators)) chosen.insert(one->name);
  std::vector<std::string> const files = sources_of(options.root, options.paths);
  Generation generation;
  for (auto& [path, file] : syntax_of(files, {options.root, options.compile_commands, options.jobs})) {
    if (!file.broken.empty()) {
      generation.broken.push_back(fmt::format("{}: {}", path, file.broken));
      continue;
    }
    FileMutants(file).take(chosen, generation);
    generation.texts[path] = std::move(file.text);
  }
  return generation;
}

std::string operators_help() {
  std::string text;
  for (const Operator& one : operators()) text += fmt::format("{:<22}{} {}\n", one.name, one.by_default ? '*' : ' ', one.description);
  return text;
}

}  // namespace redproof::mutants
