// Which mutants a diff concerns although it leaves their code alone: what would kill them changed.
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "gates/runner/catalog.h"
#include "mutants/driver/catalog/mutant.h"

namespace redproof::mutants {

class ChangedKillers {
 public:
  // `paths`: what the diff names, relative to `root`; `gates_folder`: relative too.
  ChangedKillers(std::set<std::string> paths, const std::vector<gates::Gate>& gates, std::filesystem::path root, std::string gates_folder);

  // The mutant's file, or of a gate that it names: the gate's file; its case gates/cases/ID.*; its laws' properties/LAW.*; a program that
  // stands in its argv. What several gates share (other files of gates/cases/, of properties/, and all of oracle/) counts for every gate of
  // the project's own programs.
  bool concern(const Mutant& mutant) const;

 private:
  bool changed(const std::filesystem::path& file) const;
  bool gate_changed(const gates::Gate& gate) const;
  bool source_changed(const gates::Gate& gate, const std::string& path) const;

  std::set<std::string> paths_;
  const std::vector<gates::Gate>& gates_;
  std::filesystem::path root_;
  std::string gates_folder_;
  std::set<std::string> gate_ids_, laws_;
};

}  // namespace redproof::mutants
