#include <fmt/format.h>

#include "gates/runner/printable.h"
#include "gates/runner/report.h"

namespace redproof::gates {

namespace {

constexpr std::size_t shown_text_bytes = 500;
constexpr std::size_t shown_output_bytes = 2000;

std::string shown(const std::string& text) { return printable(text, shown_text_bytes); }

std::string worst_lines(const LawEvidence& law) {
  auto const& worst = *law.worst;
  std::string lines = fmt::format("    law {} on {}: {} of {} elements\n", shown(law.law), shown(law.subject), law.failures, law.elements);
  lines += fmt::format("      where     {}\n", shown(worst.where));
  lines += fmt::format("      inputs    {}\n", shown(worst.inputs));
  lines += fmt::format("      observed  {}\n", shown(worst.observed));
  lines += fmt::format("      truth     {}\n", shown(worst.truth));
  lines += fmt::format("      error     {}, bound {}: {}\n", worst.error, worst.bound, shown(law.bound));
  lines += fmt::format("      again     {}\n", shown(law.reproduce));
  return lines;
}

// The end of what a process printed, indented: why it is broken is usually said there.
std::string output_lines(const std::string& output) {
  std::string const tail = output.size() > shown_output_bytes ? output.substr(output.size() - shown_output_bytes) : output;
  std::string lines;
  std::size_t at = 0;
  while (at < tail.size()) {
    auto const end = std::min(tail.find('\n', at), tail.size());
    lines += fmt::format("    | {}\n", printable(tail.substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

std::string seed_line(const RunReport& report) {
  return report.subject ? fmt::format("seed {}, subject {}\n", report.seed, printable(*report.subject))
                        : fmt::format("seed {}\n", report.seed);
}

}  // namespace

std::string human_lines(const GateResult& result) {
  auto const& evidence = result.evidence;
  std::string const elements = evidence.exit_code_only ? "-" : fmt::format("{}", evidence.elements());
  std::string lines = fmt::format("{:<10} {:<28} {:>10} elements {:>7.2f} s", word(result.verdict), result.id, elements, result.seconds);
  if (auto const margin = evidence.least_margin()) lines += fmt::format("  margin {:.3g}", *margin);
  if (auto const slack = evidence.most_slack()) lines += fmt::format("  slack {:.3g}", *slack);
  lines += fmt::format("{}{}\n", result.reason.empty() ? "" : "  ", result.reason);
  if (result.verdict == Verdict::red && result.worst_law() != nullptr) lines += worst_lines(*result.worst_law());
  bool const tells = result.verdict == Verdict::broken || (result.verdict == Verdict::red && result.worst_law() == nullptr);
  return tells ? lines + output_lines(result.process.output) : lines;
}

std::string human_report(const RunReport& report) {
  std::string text = seed_line(report);
  for (auto const& result : report.results) text += human_lines(result);
  return text + closing_lines(report);
}

}  // namespace redproof::gates
