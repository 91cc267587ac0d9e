// What a clock ended: it tells how busy the machine was, too, and is no outcome at once.
#pragma once
#include <functional>
#include <vector>

#include "gates/runner/catalog.h"
#include "mutants/driver/lab/worker.h"
#include "mutants/driver/record.h"

namespace redproof::mutants {

// Where `first` ran out of its time, it is run again with nobody else at work and more time each (`patience` times its limit), until it
// ends by itself or has run out twice more. All of these, in order; nothing where the first ended by itself. `again` may throw.
std::vector<AttemptRecord> attempts_of(const AttemptRecord& first, const std::function<AttemptRecord(double patience)>& again);
// "timed out in 1 s, and alone in 2 s and 4 s": of what the last of them ran.
std::string told(const std::vector<AttemptRecord>& attempts);

// Gates on a tree without any mutant.
using RunPristine = std::function<GateResults(const std::vector<gates::Gate>&, Patience)>;
// Those that the clock ended again, alone, as often.
GateResults run_in_time(const std::vector<gates::Gate>& gates, const RunPristine& run);

}  // namespace redproof::mutants
