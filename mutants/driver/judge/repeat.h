// Whether a gate says the same of the same tree twice.
#pragma once
#include <string>

#include "gates/runner/verdict.h"

namespace redproof::mutants {

// The first figure in which the evidence of two runs on the pristine tree differs: "gate ID: LAW on SUBJECT: margin 11, and 10 at first".
// Of a gate that leaves an exit code alone it is what it prints, digits apart, as times are printed. Empty where it is deterministic, as
// far as two runs tell.
std::string difference(const gates::GateResult& first, const gates::GateResult& later);

// Every figure of its evidence, a line each: what a deterministic gate shows of the same tree on any machine. Of a gate that leaves an exit
// code alone its verdict.
std::string evidence_text(const gates::GateResult& result);

}  // namespace redproof::mutants
