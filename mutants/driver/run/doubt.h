// What mutants were judged by and cannot be believed, since it is so without any mutant too.
#pragma once
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
  // `closing` ran after the mutants, without any: each gate that was green before them has to be as it was.
  void compare(const GateResults& closing, const Pristine& pristine);
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
  const Doubt* of(const Record& record) const;

  mutable std::mutex mutex_;
  std::vector<Doubt> doubts_;
};

}  // namespace redproof::mutants
