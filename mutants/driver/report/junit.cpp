#include <fmt/format.h>

#include <set>

#include "gates/runner/printable.h"
#include "mutants/driver/report/findings.h"
#include "mutants/driver/report/report.h"

namespace redproof::mutants {
namespace {

std::string xml(std::string_view text) {
  std::string out;
  for (char const c : gates::printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

bool is_error(Outcome outcome) {
  return outcome == Outcome::no_evidence || outcome == Outcome::unproved || outcome == Outcome::stale || outcome == Outcome::unviable;
}

std::string body(const Record& record, bool is_finding) {
  if (record.outcome == Outcome::suppressed) return fmt::format("<skipped message=\"{}\"/>", xml(record.reason));
  if (!is_finding) return {};
  return fmt::format("<{0} type=\"{1}\" message=\"{2}\"/>", is_error(record.outcome) ? "error" : "failure", word(record.outcome),
                     xml(record.reason));
}

std::string case_of(const std::string& id, double seconds, const std::string& body) {
  auto const slash = id.find('/');
  return fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">{}</testcase>\n", xml(id.substr(0, slash)),
                     xml(id.substr(slash + 1)), seconds, body);
}

// After an interrupt, or where --max-time ended it.
std::vector<std::string> not_run(const RunReport& report) {
  std::set<std::string> ran;
  for (const Record& record : report.records) ran.insert(record.id);
  std::vector<std::string> ids;
  for (const PlannedMutant& planned : report.plan.mutants)
    if (!ran.contains(planned.mutant.id)) ids.push_back(planned.mutant.id);
  return ids;
}

}  // namespace

std::string junit_report(const RunReport& report) {
  std::size_t failures = 0, errors = 0, skipped = 0;
  std::string cases;
  auto const planned = planned_by_id(report);
  for (const Record& record : report.records) {
    bool const found = is_finding(record, planned);
    if (record.outcome == Outcome::suppressed)
      ++skipped;
    else if (found)
      ++(is_error(record.outcome) ? errors : failures);
    cases += case_of(record.id, record.seconds, body(record, found));
  }
  auto const left = not_run(report);
  for (const std::string& id : left) cases += case_of(id, 0, "<skipped message=\"not run\"/>");
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"mutate\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n{}</testsuite>\n",
      report.records.size() + left.size(), failures, errors, skipped + left.size(), report.seconds, cases);
}

}  // namespace redproof::mutants
