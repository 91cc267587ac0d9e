// All mutants that can be chosen at run time: planted together, built once, proved, run side by side.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "mutants/driver/lab/worker.h"
#include "mutants/driver/prepared/prepared.h"
#include "mutants/driver/run/sound_files.h"
#include "mutants/driver/run/trial.h"
#include "mutants/driver/schemata/echo.h"
#include "mutants/driver/schemata/rewrite.h"

namespace redproof::mutants {

struct SchemataOptions {
  std::optional<std::filesystem::path> compile_commands;  // of the worker's tree
  unsigned jobs = 1;
  std::function<void(const std::string&)> on_note;
  std::function<bool()> is_late = {};  // then nothing is searched any more
};

class SchemataRun {
 public:
  // The worker's tree is pristine, built and proved.
  SchemataRun(Worker& worker, const std::vector<gates::Gate>& gates, Pristine& pristine, OutputFolder& out, SchemataOptions options);

  // Plants and builds what can be planted together, and shows that the tree is green with no mutant active and with every counting copy
  // active, over the pristine elements; where it is not, that of the files that are, if there are such. False where none is: then nothing
  // may be concluded from it, and why_not() says why. Throws Interrupted, NotRestored and gates::Refusal.
  bool prepare(const std::vector<const PlannedMutant*>& todo, const std::vector<std::string>& targets);
  // The same of a tree in which they stand already, built and proved elsewhere. `expected` is what the pristine tree showed there.
  bool adopt(const Numbering& numbering, const GateResults& expected, const std::vector<const PlannedMutant*>& todo);
  Numbering numbering() const;
  unsigned lanes() const { return std::max(1u, options_.jobs); }
  const std::string& why_not() const { return why_not_; }
  // Why a mutant is not among those planted; empty where it is.
  std::string left_out(const PlannedMutant& planned) const;
  // One mutant, in lane 0 to jobs - 1, each used by one thread at a time.
  Record run(const PlannedMutant& planned, unsigned lane);
  // Whether a build of its own could not say otherwise.
  bool holds(const PlannedMutant& planned, const Record& record) const;
  // Whether its outcome in a build of its own has to be the same: not where the compiler may have run its function.
  bool compares(const PlannedMutant& planned) const;
  // With no mutant active.
  GateResults run_unmutated(const std::vector<gates::Gate>& gates, unsigned lane = 0, Patience patience = 1) const;
  void restore() { worker_.planted().restore(); }
  // What a lane may write to.
  std::filesystem::path lane_folder(unsigned lane) const;

 private:
  struct Shot {
    gates::GateResult result;
    Echo echo;
  };
  void plan(const std::vector<const PlannedMutant*>& todo);
  std::string constant_host(unsigned number) const;
  bool build(const std::vector<std::string>& targets);
  bool prove(const std::vector<const PlannedMutant*>& todo);
  std::string why_not_with(const PathSet& kept, const std::vector<const PlannedMutant*>& todo, const std::vector<std::string>& targets);
  bool keep_sound_files(const std::vector<const PlannedMutant*>& todo, const std::vector<std::string>& targets);
  bool prove_counted(const std::vector<gates::Gate>& gates);
  bool is_as_expected(const GateResults& results, const GateResults& expected);
  bool is_as_expected(const gates::GateResult& result, const GateResults& expected, const char* log, const char* what);
  std::map<std::string, Shot> count(const std::vector<gates::Gate>& gates);
  Shot shoot(const gates::Gate& gate, const std::string& orders, std::uint64_t limit, unsigned lane, Patience patience = 1);
  Shown show(const gates::Gate& gate, unsigned mutant, unsigned lane, Patience patience = 1);
  const Echo& counted(const gates::Gate& gate, unsigned lane);
  gates::Scratch& scratch_of(unsigned lane);

  Worker& worker_;
  const std::vector<gates::Gate>& gates_;
  Pristine& pristine_;
  OutputFolder& out_;
  LastKillers killers_;
  SchemataOptions options_;
  std::map<std::string, FileSyntax> syntax_;
  std::vector<Candidate> candidates_;
  std::optional<PathSet> kept_files_;        // none: all
  std::map<std::string, unsigned> numbers_;  // by mutant id
  std::map<unsigned, std::string> left_out_;
  Rewritten rewritten_;
  std::map<std::string, std::string> programs_;  // their hashes on the pristine tree
  double build_seconds_ = 0;
  std::string why_not_;
  std::mutex mutex_;
  std::map<std::string, Echo> counts_;            // by gate
  std::map<unsigned, gates::Scratch> scratches_;  // by lane
};

}  // namespace redproof::mutants
