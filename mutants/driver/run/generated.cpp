#include "mutants/driver/run/generated.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "gates/runner/refusal.h"
#include "mutants/driver/generate/generate.h"
#include "mutants/driver/run/narrow.h"

namespace redproof::mutants {
namespace {

// With the place of its change, so that it can be selected as a written mutant is.
Mutant placed(const Generated& generated, const LabConfig& lab) {
  Mutant mutant = generated.mutant;
  mutant.generated = true;
  mutant.targets = lab.targets;
  Edit edit;
  edit.file = generated.path;
  edit.function = generated.function;
  edit.signature = generated.signature;
  mutant.edits = {edit};
  return mutant;
}

}  // namespace

std::vector<Finding> generate_inputs(const RunOptions& options, const FindOptions& find, Inputs& inputs, std::vector<std::string>& notes,
                                     std::vector<std::string>& broken, const BuildFirst& build_first) {
  if (!find.compile_commands) throw gates::Refusal("--generate: no compile database: name it in lab.json (compile_commands)");
  GenerateOptions const what{find.root, *find.compile_commands, options.generate, options.operators, find.jobs};
  auto generation = generate(what);
  if (std::any_of(generation.broken.begin(), generation.broken.end(), lacks_a_file) && build_first()) generation = generate(what);
  notes.insert(notes.end(), generation.lost.begin(), generation.lost.end());
  for (const std::string& why : generation.broken) broken.push_back("no mutant can be made: " + why);
  std::vector<Mutant> all;
  std::unordered_map<std::string, const Generated*> by_id;
  for (const Generated& generated : generation.mutants) {
    all.push_back(placed(generated, inputs.lab));
    by_id[generated.mutant.id] = &generated;
  }
  inputs.mutants.clear();
  inputs.selected.clear();
  if (all.empty()) return {};
  narrow_by_name(options, all, inputs);
  std::vector<Finding> findings;
  for (const Mutant& mutant : inputs.mutants) findings.push_back(generation.finding_of(*by_id.at(mutant.id)));
  narrow_by_diff(options, find, inputs, findings);
  return findings;
}

}  // namespace redproof::mutants
