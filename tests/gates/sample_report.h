// One run that holds every verdict and every kind of hostile text, and the stored text of each format.
#pragma once
#include <string>

#include "gates/runner/report.h"

namespace redproof::tests {

gates::RunReport sample_report();
// tests/gates/baselines/NAME. Where REDPROOF_WRITE_BASELINES is set `text` then takes its place, for the next run.
std::string baseline(const std::string& name, const std::string& text);

}  // namespace redproof::tests
