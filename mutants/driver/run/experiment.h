// One mutant: planted, built, judged, taken out again.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "gates/runner/catalog.h"
#include "mutants/driver/lab/worker.h"
#include "mutants/driver/plan/plan.h"
#include "mutants/driver/record.h"
#include "mutants/driver/run/output_folder.h"

namespace redproof::mutants {

// What the pristine tree showed; read and extended by all workers.
class Pristine {
 public:
  GateResults all() const;
  void add(const GateResults& results);

 private:
  mutable std::mutex mutex_;
  GateResults results_;
};

class Experiment {
 public:
  Experiment(Worker& worker, const std::vector<gates::Gate>& gates, Pristine& pristine, OutputFolder& out,
             std::map<std::string, std::string> pristine_programs);

  // Throws Interrupted, NotRestored or gates::Refusal; no record then.
  Record run(const PlannedMutant& planned);

 private:
  void build_and_judge(const PlannedMutant& planned, Record& record);
  void judge_by_gates(const PlannedMutant& planned, Record& record);
  void judge_survivor(const PlannedMutant& planned, Record& record);
  void judge_equivalence(const PlannedMutant& planned, Record& record);
  void judge_unchanged(const PlannedMutant& planned, Record& record);
  bool is_compiled(const PlannedMutant& planned);
  GateResults run_gates(const std::vector<std::string>& names, const PlannedMutant& planned, std::string_view role, Record& record);

  Worker& worker_;
  const std::vector<gates::Gate>& gates_;
  Pristine& pristine_;
  OutputFolder& out_;
  std::map<std::string, std::string> pristine_programs_;
};

}  // namespace redproof::mutants
