// A mutant is planted and built: its gates run, and what they do is judged. However it was planted.
#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "gates/runner/catalog.h"
#include "mutants/driver/judge/judge.h"
#include "mutants/driver/lab/worker.h"
#include "mutants/driver/plan/plan.h"
#include "mutants/driver/record.h"
#include "mutants/driver/run/last_killers.h"
#include "mutants/driver/run/output_folder.h"

namespace redproof::mutants {

// What the pristine tree showed; read and extended by all workers.
class Pristine {
 public:
  GateResults all() const;
  // Null where it is not known. Stays valid: results are only added.
  const gates::GateResult* find(const std::string& gate) const;
  void add(const GateResults& results);
  // Whether the gate is green there where it is asked for its laws alone, as `run` shows when this is first asked: a law may lean on
  // another.
  bool is_green_alone(const gates::Gate& asked, const std::function<gates::GateResult()>& run);

 private:
  mutable std::mutex mutex_;
  GateResults results_;
  std::map<std::pair<std::string, std::vector<std::string>>, bool> green_alone_;  // by gate and laws
};

// What a gate showed under the mutant, and how often it entered the mutant's functions where that is counted.
struct Shown {
  gates::GateResult result;
  std::optional<std::uint64_t> hits;
  bool counted = false;  // told by counting, whatever the clock says

  bool out_of_time() const { return result.process.timed_out && !counted; }
};

struct TrialTools {
  const std::vector<gates::Gate>& gates;
  Pristine& pristine;
  OutputFolder& out;
  LastKillers& killers;
  std::string function;  // that the mutant changes, by whatever name tells it apart
  // All throw Interrupted. The second runs one gate once more, alone where it is given more time; the third runs gates on the pristine
  // tree, which may take the mutant out.
  std::function<std::map<std::string, Shown>(const std::vector<gates::Gate>&)> run;
  std::function<Shown(const gates::Gate&, Patience)> run_again;
  std::function<GateResults(const std::vector<gates::Gate>&)> run_pristine;
  std::function<bool(const gates::Gate&)> is_green_alone;  // see Pristine; false where showing it takes a build
};

// By the gates that have to go red, those that have to stay green, and, where it survived, all others.
void judge_by_gates(const TrialTools& tools, const PlannedMutant& planned, Record& record);
// By whatever gate goes red first: the law that went red last nearby, then the quickest.
void judge_generated(const TrialTools& tools, const PlannedMutant& planned, Record& record);
// The gates that have to be green before anything of `todo` is planted: those that are named, all where a generated one is among them.
std::vector<std::string> gates_needed(const std::vector<const PlannedMutant*>& todo, const std::vector<gates::Gate>& gates);
// By a witness that is a gate.
void judge_by_witness(const TrialTools& tools, const PlannedMutant& planned, Record& record);
void set_outcome(Record& record, const Judged& judged);

}  // namespace redproof::mutants
