#include "mutants/driver/select/killers.h"

#include <algorithm>

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

bool is_text_for_people(const fs::path& path) { return path.extension() == ".md" || path.extension() == ".txt"; }

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

ChangedKillers::ChangedKillers(std::set<std::string> paths, const std::vector<gates::Gate>& gates, fs::path root, std::string gates_folder)
    : paths_(std::move(paths)), gates_(gates), root_(std::move(root)), gates_folder_(std::move(gates_folder)) {
  for (const gates::Gate& gate : gates_) {
    gate_ids_.insert(gate.id);
    laws_.insert(gate.laws.begin(), gate.laws.end());
  }
}

bool ChangedKillers::concern(const Mutant& mutant) const {
  if (!mutant.file.empty() && changed(mutant.file)) return true;
  auto const named = mutant.gates();
  return std::any_of(gates_.begin(), gates_.end(),
                     [&](const gates::Gate& gate) { return (mutant.generated || is_one_of(gate.id, named)) && gate_changed(gate); });
}

bool ChangedKillers::changed(const fs::path& file) const { return paths_.contains(file.lexically_relative(root_).generic_string()); }

bool ChangedKillers::gate_changed(const gates::Gate& gate) const {
  if (changed(gate.file)) return true;
  if (gate.foreign())
    return std::any_of(gate.argv.begin(), gate.argv.end(),
                       [&](const std::string& word) { return paths_.contains(fs::path(word).lexically_normal().generic_string()); });
  return std::any_of(paths_.begin(), paths_.end(), [&](const std::string& path) { return source_changed(gate, path); });
}

// Files are named after the one gate or law they hold; every other one is shared.
bool ChangedKillers::source_changed(const gates::Gate& gate, const std::string& path) const {
  if (is_text_for_people(path)) return false;
  std::string const folder = fs::path(path).parent_path().generic_string();
  std::string const stem = fs::path(path).stem().string();
  if (folder == gates_folder_ + "/cases") return stem == gate.id || !gate_ids_.contains(stem);
  if (folder == "properties" && laws_.contains(stem)) return is_one_of(stem, gate.laws);
  return path.starts_with("properties/") || path.starts_with("oracle/");
}

}  // namespace redproof::mutants
