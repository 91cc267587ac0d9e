// The mutants that have to be run, on as many private trees as there are workers.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "mutants/driver/lab/lab_folder.h"
#include "mutants/driver/lab/tree_state.h"
#include "mutants/driver/run/attempts.h"
#include "mutants/driver/run/doubt.h"
#include "mutants/driver/run/experiment.h"
#include "mutants/driver/run/prepare.h"
#include "mutants/driver/run/schemata_run.h"
#include "mutants/driver/run/shared_verdicts.h"
#include "mutants/driver/run/survivors.h"

namespace redproof::mutants {

class LabRun {
 public:
  using Todo = std::vector<const PlannedMutant*>;

  LabRun(const RunOptions& options, const Inputs& inputs, std::vector<std::string> files);

  // The first private tree, configured: there edits are found. Throws gates::Refusal.
  std::filesystem::path open_first();
  bool build_before_parsing(RunReport& report);  // false where it does not build: that is in the report
  // Those of `all` that are not taken from `shared`, in its order within each worker. Adds to the report as each ends.
  void run(const Todo& all, SharedVerdicts& shared, OutputFolder& out, RunReport& report);
  // The same where the root is the tree of what was prepared.
  void run_prepared(const Prepared& prepared, const Todo& todo, OutputFolder& out, RunReport& report);

 private:
  Worker& add_worker();
  Worker& add_faithful_copy();
  Todo run_together(const Todo& todo, OutputFolder& out, RunReport& report);
  void run_lanes(SchemataRun& all, const Todo& together, OutputFolder& out, RunReport& report, Todo& alone);
  // The first file that mutants left otherwise than it was; empty where there is none. What a pristine build puts back is an output.
  std::string left_changed(TreeState& state, Worker& worker) const;
  void check_unchanged(TreeState& state, Worker& worker);
  void leave_prepared(const Worker& worker, const SchemataRun& all, OutputFolder& out);
  void run_one_a_build(const Todo& todo, OutputFolder& out, RunReport& report);
  void compare(const Todo& todo, OutputFolder& out, RunReport& report);
  void run_lane(SchemataRun& all, unsigned lane, const Todo& todo, OutputFolder& out, RunReport& report, Todo& alone);
  void need_all_programs(Worker& worker, OutputFolder& out);
  bool prove_pristine(const Todo& todo, OutputFolder& out, RunReport& report);
  Todo take_known(const Todo& all, SharedVerdicts& shared, OutputFolder& out, RunReport& report);
  bool plants_together(std::size_t mutants) const;
  // Hands out `todo` until it is empty, something stops the run, or this worker went bad: `run` answers whether it is well.
  void work(Worker& worker, std::size_t index, const Todo& todo, RunReport& report, const std::function<bool(const PlannedMutant&)>& run);
  // A mutant whose gate ended neither green nor red may have taken along what the next one needs: a device, files. Then that gate is not as
  // before without any mutant, and this worker starts no more.
  bool is_well_after(const Record& record, std::size_t index, const RunPristine& run, OutputFolder& out, RunReport& report);
  void build_pristine(Worker& worker) const;
  bool is_bad(std::size_t index) const;
  void went_bad(std::size_t index, const std::string& why, RunReport& report);
  void build_and_work(Worker& worker, std::size_t index, const Todo& todo, OutputFolder& out, RunReport& report);
  // The gates that were not green under a mutant, once more without any.
  void close_with(const std::set<std::string>& gates, const RunPristine& run, OutputFolder& out);
  GateResults run_those_green_before(const std::set<std::string>& gates, const RunPristine& run) const;
  void confirm_one_a_build(const Todo& todo, std::size_t count, OutputFolder& out, RunReport& report);
  void side_by_side(std::size_t count, RunReport& report, const std::function<void(std::size_t)>& part);
  // What cannot be believed after all is recorded anew.
  void settle_doubts(OutputFolder& out, RunReport& report);
  // What the part throws becomes the run's exit code.
  void guarded(RunReport& report, const std::function<void()>& part);
  void unproved(const Todo& todo, const std::string& why, OutputFolder& out, RunReport& report);
  void add_record(Record record, const PlannedMutant& planned, OutputFolder& out, RunReport& report);
  void fail(int exit_code, const std::string& note, RunReport& report);

  const RunOptions& options_;
  const Inputs& inputs_;
  std::shared_ptr<Machine> machine_ = std::make_shared<Machine>();
  std::vector<std::string> files_;
  LabFolder folder_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Pristine pristine_;
  Doubts doubts_;
  Survivors survivors_;
  std::map<std::string, std::string> built_alone_;  // by mutant id: why
  std::map<std::string, Outcome> beside_all_;       // of these, by mutant id: those that ran beside all others first
  std::set<std::size_t> bad_;                       // workers, or lanes, that went bad
  std::map<std::string, std::size_t> judged_by_;    // by mutant id: the worker or lane
  double build_seconds_ = 0;                        // of the pristine tree from nothing
  bool comparing_ = false;
  bool builds_ = true;                // what is not as declared beside all others gets a build of its own
  std::vector<std::string> targets_;  // what is built of the pristine tree
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;
};

}  // namespace redproof::mutants
