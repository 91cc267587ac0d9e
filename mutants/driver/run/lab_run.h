// The mutants that have to be run, on as many private trees as there are workers.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "mutants/driver/lab/lab_folder.h"
#include "mutants/driver/run/experiment.h"
#include "mutants/driver/run/prepare.h"

namespace redproof::mutants {

class LabRun {
 public:
  LabRun(const RunOptions& options, const Inputs& inputs, std::vector<std::string> files);

  // The first private tree, configured: there edits are found. Throws gates::Refusal.
  std::filesystem::path open_first();
  // All of `todo`, in its order within each worker. Adds to the report as each ends.
  void run(const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report);

 private:
  Worker& add_worker();
  Worker& add_faithful_copy();
  bool prove_pristine(const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report);
  void work(Worker& worker, std::size_t index, const std::vector<const PlannedMutant*>& todo, OutputFolder& out, RunReport& report);
  void unproved(const std::vector<const PlannedMutant*>& todo, const std::string& why, OutputFolder& out, RunReport& report);
  void add_record(Record record, const PlannedMutant& planned, OutputFolder& out, RunReport& report);
  void fail(int exit_code, const std::string& note, RunReport& report);

  const RunOptions& options_;
  const Inputs& inputs_;
  std::vector<std::string> files_;
  LabFolder folder_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Pristine pristine_;
  std::vector<std::string> targets_;
  std::size_t next_ = 0;
  bool stop_ = false;
  std::mutex mutex_;
};

}  // namespace redproof::mutants
