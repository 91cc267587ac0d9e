// What decides a mutant's outcome, as one hash: equal keys, equal outcomes, in whatever folder, clone or machine.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/cache/command_text.h"
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
  const std::map<std::string, std::string>& sha256;  // of lab_file and the gates' files as they were read, by path
  const std::vector<std::string>& files;             // of the tree
  std::string judge;                                 // SHA-256
};

// Of a worker whose tree is built pristine, and of what the gates showed there. Throws Interrupted.
class VerdictKeys {
 public:
  VerdictKeys(KeyInputs inputs, Worker& worker, const GateResults& pristine);

  // What is needed of the sources that `todo` changes. Throws Interrupted.
  void make(const std::vector<const PlannedMutant*>& todo, unsigned jobs);
  // SHA-256. Only of a mutant of `todo`, where it is planted so. Throws Interrupted.
  std::string of(const PlannedMutant& planned, const std::string& planting);
  // Why there can be no keys; empty where there can.
  std::string why_not() const;

 private:
  // Whatever is in the tree when it is built: sources count as what is compiled of them, documents not at all.
  void read_tree(std::vector<std::string>& objects);
  std::string text_of_run(const std::vector<std::string>& objects);
  std::string text_of_gates();
  std::string text_of_programs();
  std::string text_of_inputs();
  std::string text_of_links(const std::vector<std::string>& files) const;
  const std::string& whole_tree();
  std::string text_of_sources(const MutatedFile& file);
  std::string text_of(const PlannedMutant& planned);
  std::string text_of_evidence(const PlannedMutant& planned) const;

  KeyInputs inputs_;
  Worker& worker_;
  const GateResults& pristine_;
  std::vector<std::string> sources_;  // of the tree, and those that the build has made
  std::optional<CompileDatabase> database_;
  std::unique_ptr<IncludeGraph> graph_;
  UnitClosures closures_;
  CommandTexts commands_;
  std::map<std::string, std::optional<std::vector<const CompileCommand*>>> units_;  // by file
  std::string run_, whole_tree_;
  std::string unread_;
  std::map<std::string, std::string> hashes_;  // by mutant id, of all but the planting
};

}  // namespace redproof::mutants
