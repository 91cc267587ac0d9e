// From what the gates did to what became of the mutant. Nothing here runs anything.
#pragma once
#include <string>
#include <string_view>

#include "gates/runner/verdict.h"
#include "mutants/driver/catalog/mutant.h"
#include "mutants/driver/lab/worker.h"
#include "mutants/driver/record.h"

namespace redproof::mutants {

struct Judged {
  Outcome outcome = Outcome::no_evidence;
  bool as_declared = false;
  std::string reason;
};

// How one gate ended under a mutant, seen from the law that was to go red.
enum class Ending { red, red_elsewhere, green, crash, timeout, oom, nothing };
Ending ending_of(const Red& red, const gates::GateResult& result, const gates::GateResult& pristine, std::string& reason);

// Over all of `reds`: killed where every one is red as named; survived where one stayed green and none failed otherwise; else the first
// other ending. A crash, timeout or oom that was declared is as declared.
Judged judge_reds(const Mutant& mutant, const GateResults& results, const GateResults& pristine);
// Of a killed mutant: still killed, or collateral.
Judged judge_greens(const Mutant& mutant, const GateResults& results, const GateResults& pristine);
// Of a generated mutant by one gate: killed, how else the gate ended, or survived. Nothing was promised, so all are as declared.
Judged judge_any(const gates::GateResult& result, const gates::GateResult& pristine);
// Of a build that failed, or that was to fail and did not.
Judged judge_build(const Mutant& mutant, bool built, const std::string& log);
// Of a mutant that is declared equivalent and whose programs differ.
Judged judge_witness(bool holds, const std::string& why_not);

// Green, and over as many elements as on the pristine tree.
bool is_green_as_before(const gates::GateResult& result, const gates::GateResult& pristine, std::string& reason);
GateRecord record_of(const gates::GateResult& result, const gates::GateResult* pristine, std::string_view role, const std::string& law);

}  // namespace redproof::mutants
