// A finished run, told in each of the formats.
#pragma once
#include <string>

#include "mutants/driver/run/run.h"

namespace redproof::mutants {

// One line a mutant, as it ends.
std::string record_line(const Record& record);
// Everything about one mutant: diff, hashes, build, programs, gates with figures.
std::string record_detail(const Record& record, const PlannedMutant& planned);
// The table of outcomes, whose counts add up to the number of mutants, what was not as declared, and the notes.
std::string human_summary(const RunReport& report);
std::string check_summary(const RunReport& report);

std::string json_report(const RunReport& report);
std::string junit_report(const RunReport& report);
std::string github_report(const RunReport& report);
// SARIF 2.1.0: a result for each mutant that is not as declared.
std::string sarif_report(const RunReport& report);
// mutation-testing-report-schema 2: every mutant that was found, in its source.
std::string elements_report(const RunReport& report);

}  // namespace redproof::mutants
