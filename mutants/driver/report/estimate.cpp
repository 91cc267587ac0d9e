#include "mutants/driver/report/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace redproof::mutants {

std::string estimate(const Plan& plan, const std::map<std::string, double>& seconds, unsigned jobs) {
  std::vector<double> known;
  std::size_t to_run = 0;
  for (const PlannedMutant& planned : plan.mutants) {
    if (planned.finding.files.empty() || !planned.mutant.suppressed.empty()) continue;
    ++to_run;
    if (auto const found = seconds.find(planned.mutant.id); found != seconds.end()) known.push_back(found->second);
  }
  if (known.empty()) return fmt::format("{} to run; no earlier run tells how long that takes\n", to_run);
  std::size_t const ran = known.size();
  auto const middle = known.begin() + static_cast<std::ptrdiff_t>(ran / 2);
  std::nth_element(known.begin(), middle, known.end());
  double total = static_cast<double>(to_run - ran) * *middle;
  for (double const one : known) total += one;
  return fmt::format("{} to run, {} of them ran before: about {:.1f} min with --jobs {}, beside the builds of the tree\n", to_run, ran,
                     total / 60 / jobs, jobs);
}

}  // namespace redproof::mutants
