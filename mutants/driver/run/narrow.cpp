#include "mutants/driver/run/narrow.h"

#include <algorithm>

#include "mutants/driver/catalog/catalog.h"

namespace redproof::mutants {
namespace {

template <typename T>
void keep(std::vector<T>& items, const std::vector<std::size_t>& positions) {
  std::vector<T> kept;
  for (std::size_t const position : positions) kept.push_back(std::move(items[position]));
  items = std::move(kept);
}

std::vector<std::string> ids_of(const std::vector<Mutant>& mutants) {
  std::vector<std::string> ids;
  for (const Mutant& mutant : mutants) ids.push_back(mutant.id);
  return ids;
}

// A shard's members are counted among what is selected, so that shards of one selection share nothing and leave nothing out.
void draw(const RunOptions& options, Inputs& inputs, std::vector<Finding>* findings) {
  auto const sampled = sample_of(ids_of(inputs.mutants), options.selection.sample, options.seed);
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    inputs.selected.push_back(inputs.mutants[sampled[i]].id);
    if (options.selection.shard.holds(i)) members.push_back(sampled[i]);
  }
  keep(inputs.mutants, members);
  if (findings != nullptr) keep(*findings, members);
}

ChangedKillers changed_killers(const RunOptions& options, const Inputs& inputs) {
  return {paths_of(*options.selection.diff), inputs.gates, options.root, inputs.lab.gates};
}

// How everything is built.
bool lab_changed(const RunOptions& options) {
  auto const file = options.lab_config.empty() ? options.catalog / "lab.json" : options.lab_config;
  return paths_of(*options.selection.diff).contains(file.lexically_relative(options.root).generic_string());
}

bool found_nothing(const Finding& finding) { return finding.files.empty(); }

}  // namespace

void narrow_by_name(const RunOptions& options, const std::vector<Mutant>& all, Inputs& inputs) {
  auto const placed = ids_of(select_by_place(all, options.selection));
  for (const Mutant& mutant : select_mutants(all, options.filters))
    if (std::find(placed.begin(), placed.end(), mutant.id) != placed.end()) inputs.mutants.push_back(mutant);
  if (!options.selection.diff) return draw(options, inputs, nullptr);
  if (!lab_changed(options))
    inputs.mutants = select_by_path(inputs.mutants, paths_of(*options.selection.diff), changed_killers(options, inputs), options.root);
}

void narrow_by_diff(const RunOptions& options, const FindOptions& find, Inputs& inputs, std::vector<Finding>& findings) {
  if (!options.selection.diff) return;
  const Diff& diff = *options.selection.diff;
  if (!lab_changed(options)) {
    Spans const spans = spans_of(syntax_of(files_to_parse(findings, diff), find));
    ChangedKillers const killers = changed_killers(options, inputs);
    std::vector<std::size_t> concerned;
    for (std::size_t i = 0; i < findings.size(); ++i)
      if (killers.concern(inputs.mutants[i]) || found_nothing(findings[i]) || is_touched(findings[i], diff, spans)) concerned.push_back(i);
    keep(inputs.mutants, concerned);
    keep(findings, concerned);
  }
  draw(options, inputs, &findings);
}

}  // namespace redproof::mutants
