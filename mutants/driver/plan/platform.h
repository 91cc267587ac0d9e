// What a run runs on, as far as it can decide an outcome.
#pragma once
#include <string>

namespace redproof::mutants {

// Processor, graphics devices and their driver, compilers, and the variables that choose among them: equal texts, equal outcomes.
std::string platform();

}  // namespace redproof::mutants
