// What decides a mutant's outcome, as one hash: equal keys, equal outcomes, in whatever folder, clone or machine.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/cache/include_graph.h"
#include "mutants/driver/cache/unit_closure.h"
#include "mutants/driver/lab/worker.h"
#include "mutants/driver/plan/plan.h"

namespace redproof::mutants {

struct KeyInputs {
  const Plan& plan;
  const LabConfig& lab;
  std::filesystem::path lab_file;
  const std::vector<gates::Gate>& gates;
  const std::vector<std::string>& files;  // of the tree
  std::string judge;                      // SHA-256
};

// Of a worker whose tree is built pristine, and of what the gates showed there.
class VerdictKeys {
 public:
  VerdictKeys(KeyInputs inputs, Worker& worker, const GateResults& pristine);

  // What is needed of the sources that `todo` changes. Throws Interrupted.
  void make(const std::vector<const PlannedMutant*>& todo, unsigned jobs);
  // SHA-256. Only of a mutant of `todo`.
  std::string of(const PlannedMutant& planned) const;

 private:
  // Whatever is in the tree when it is built: sources count as what is compiled of them, documents not at all.
  void read_tree(std::vector<std::string>& objects);
  std::string text_of_run(const std::vector<std::string>& objects) const;
  std::string text_of_gates() const;
  std::string text_of_programs() const;
  std::string whole_tree() const;
  std::string text_of_sources(const MutatedFile& file) const;
  std::string text_of_evidence(const PlannedMutant& planned) const;

  KeyInputs inputs_;
  Worker& worker_;
  const GateResults& pristine_;
  std::vector<std::string> sources_;  // of the tree, and those that the build has made
  std::optional<CompileDatabase> database_;
  std::unique_ptr<IncludeGraph> graph_;
  UnitClosures closures_;
  std::map<std::string, std::optional<std::vector<const CompileCommand*>>> units_;  // by file
  std::string run_;
};

}  // namespace redproof::mutants
