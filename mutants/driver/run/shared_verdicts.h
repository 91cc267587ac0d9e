// The cache as a run sees it: what it takes from there once its pristine tree is proved, and what it leaves when all is done.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/cache/verdict_cache.h"
#include "mutants/driver/lab/worker.h"
#include "mutants/driver/run/prepare.h"
#include "mutants/driver/run/run.h"

namespace redproof::mutants {

// The files of the tree, less those that SQLite makes beside the cache: they come and go with each transaction.
std::vector<std::string> without_cache(std::vector<std::string> files, const RunOptions& options);

class SharedVerdicts {
 public:
  // Opens the cache that the options name, if they do. Throws gates::Refusal where it cannot be used. `files` of the tree.
  SharedVerdicts(const RunOptions& options, const Inputs& inputs, const std::vector<std::string>& files);

  // Gives `on_record` what is known of `todo`, and answers the rest. The worker's tree is built and proved. Throws gates::Refusal and
  // Interrupted.
  std::vector<const PlannedMutant*> take(const std::vector<const PlannedMutant*>& todo, const Plan& plan, Worker& worker,
                                         const GateResults& pristine, const std::function<void(Record, const PlannedMutant&)>& on_record);
  // Only when all is done and nothing ended the run: until then any outcome may turn out to rest on a gate that is not deterministic, or on
  // a tree that was changed.
  void keep(RunReport& report);
  void tell(RunReport& report) const;

 private:
  void check_place(const std::vector<std::string>& files) const;
  void leave_alone(const std::string& why);
  std::optional<Record> find(const std::string& id, const std::vector<std::string>& plantings);

  const RunOptions& options_;
  const Inputs& inputs_;
  const std::vector<std::string>& files_;
  std::optional<VerdictCache> cache_;
  std::string judge_;                                               // SHA-256 of this program
  std::map<std::string, std::map<std::string, std::string>> keys_;  // by mutant id and planting
  std::vector<std::string> taken_;                                  // keys
  std::vector<std::string> notes_;
};

}  // namespace redproof::mutants
