#include <fmt/format.h>

#include <algorithm>

#include "gates/runner/printable.h"
#include "mutants/driver/report/findings.h"
#include "mutants/driver/report/report.h"
#include "mutants/driver/report/scores.h"

namespace redproof::mutants {
namespace {

// A workflow command's data: percent, line breaks; in its properties also colon and comma.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (char const c : text) {
    bool const special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (special)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += gates::printable(std::string_view(&c, 1));
  }
  return out;
}

std::size_t first_changed_line(const MutatedFile& file) {
  auto const at = std::mismatch(file.before.begin(), file.before.end(), file.after.begin(), file.after.end()).first;
  return 1 + static_cast<std::size_t>(std::count(file.before.begin(), at, '\n'));
}

std::string place_of(const PlannedMutant& planned) {
  if (planned.finding.files.empty()) return {};
  const MutatedFile& file = planned.finding.files.front();
  return fmt::format("file={},line={},", escaped(file.path, true), first_changed_line(file));
}

}  // namespace

std::string github_report(const RunReport& report) {
  std::string text;
  auto const planned = planned_by_id(report);
  for (const Record& record : report.records) {
    if (!is_finding(record, planned)) continue;
    text += fmt::format("::{} {}title={}::{}\n", record.as_declared ? "warning" : "error", place_of(planned_of(record, planned)),
                        escaped(fmt::format("{} {}", record.id, word(record.outcome)), true), escaped(record.reason, false));
  }
  for (const std::string& note : report.notes) text += fmt::format("::notice::{}\n", escaped(note, false));
  auto const broken = std::count_if(report.records.begin(), report.records.end(), [](const Record& record) { return !record.as_declared; });
  Scores const scores = scores_of(report);
  return text + fmt::format("mutants: {} of {} not as declared (exit {}); killed {} of {} judged, {} not run\n", broken,
                            report.plan.mutants.size(), report.exit_code(), scores.killed, scores.judged(), scores.not_run);
}

}  // namespace redproof::mutants
