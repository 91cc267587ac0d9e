// What mutants were judged by and cannot be believed, since it is so without any mutant too.
#pragma once
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "mutants/driver/outcome.h"
#include "mutants/driver/record.h"
#include "mutants/driver/run/trial.h"

namespace redproof::mutants {

// Kept by all workers; applied when they are done.
class Doubts {
 public:
  // Gates that were not green in one of these trials.
  void note(const Record& record, std::set<std::string>& gates) const;
  // `closing` ran after mutants (`when`), without any: each gate that was green before them has to be as it was. One whose evidence is
  // another, green all the same, is not deterministic. Answers what is not as it was; empty where all is.
  std::string compare(const GateResults& closing, const Pristine& pristine, const std::string& when = "after the run");
  // Whether it rests on a gate that is not deterministic: then it is run once more, or not believed.
  bool has_to_be_confirmed(const Record& record) const;
  // Of `todo`, lists for workers or lanes: each of these goes to the one after that which judged it.
  std::vector<std::vector<const PlannedMutant*>> to_confirm(const std::vector<const PlannedMutant*>& todo,
                                                            const std::vector<Record>& records,
                                                            const std::map<std::string, std::size_t>& judged_by, std::size_t count) const;
  void confirm(const Record& again, bool on_another_worker);
  // Of everything that was built and run.
  void add(Outcome outcome, const std::string& why);
  // The outcomes that rest on what is doubted, each with what it was. False where there is none.
  bool apply(std::vector<Record>& records) const;

 private:
  struct Doubt {
    std::string gate;  // empty: every one
    Outcome outcome;
    std::string why;
  };
  struct Repeat {
    Record record;
    bool on_another_worker;
  };
  const Doubt* of(const Record& record) const;
  // Of the gates that are not deterministic, the first that was not green.
  const std::string* wavering_gate_of(const Record& record) const;
  bool apply_repeat(Record& record) const;

  mutable std::mutex mutex_;
  std::vector<Doubt> doubts_;
  std::map<std::string, std::string> wavering_;  // gates that are not deterministic: what differed
  std::map<std::string, Repeat> repeats_;        // by mutant id
};

}  // namespace redproof::mutants
