// One run with an outcome of several kinds, for the formats.
#pragma once
#include "mutants/driver/run/run.h"

namespace redproof::mutants::test {

RunReport sample_report();

}  // namespace redproof::mutants::test
