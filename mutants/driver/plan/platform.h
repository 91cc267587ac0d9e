// What a run runs on, as far as it can decide an outcome.
#pragma once
#include <string>

namespace redproof::mutants {

// Processor, graphics devices and their driver, compilers, and the variables that choose among them: equal texts, equal outcomes.
std::string platform();
// Parts of it: the processor's name, and the driver and models of graphics devices, a line each; empty where there are none.
std::string processor();
std::string graphics();

}  // namespace redproof::mutants
