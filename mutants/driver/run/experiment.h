// One mutant: planted, built, judged, taken out again.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gates/runner/catalog.h"
#include "mutants/driver/lab/worker.h"
#include "mutants/driver/plan/plan.h"
#include "mutants/driver/record.h"
#include "mutants/driver/run/output_folder.h"
#include "mutants/driver/run/trial.h"

namespace redproof::mutants {

class Experiment {
 public:
  Experiment(Worker& worker, const std::vector<gates::Gate>& gates, Pristine& pristine, OutputFolder& out,
             std::map<std::string, std::string> pristine_programs);

  // Throws Interrupted, NotRestored or gates::Refusal; no record then.
  Record run(const PlannedMutant& planned);

 private:
  void build_and_judge(const PlannedMutant& planned, Record& record);
  // Both again where the clock ended them.
  BuildRun build_in_time(const std::vector<std::string>& targets, Record& record);
  gates::ProcessResult run_witness(const std::vector<std::string>& argv, Record& record);
  // Of a mutant with several edits, each of which has to change a program: of one that does not, no gate has said anything.
  void prove_edits(const PlannedMutant& planned, Record& record);
  std::string effect_of(const EditFiles& edit, const PlannedMutant& planned, const std::map<std::string, std::string>& mutated);
  // With these files planted instead. Nothing where that does not build.
  std::optional<std::map<std::string, std::string>> programs_with(const std::vector<MutatedFile>& files, const PlannedMutant& planned);
  TrialTools tools(const PlannedMutant& planned);
  GateResults run_pristine(const PlannedMutant& planned, const std::vector<gates::Gate>& gates);
  void judge_equivalence(const PlannedMutant& planned, Record& record);
  void judge_unchanged(const PlannedMutant& planned, Record& record);
  // What becomes of an #error in front of the changed line.
  enum class Probe { stops_the_build, is_passed_over, is_not_seen };
  Probe probe(const PlannedMutant& planned);

  Worker& worker_;
  const std::vector<gates::Gate>& gates_;
  Pristine& pristine_;
  OutputFolder& out_;
  LastKillers killers_;
  std::map<std::string, std::string> pristine_programs_;
};

}  // namespace redproof::mutants
