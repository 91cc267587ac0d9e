#include "mutants/driver/judge/repeat.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace redproof::mutants {
namespace {

using gates::GateResult;
using gates::LawEvidence;

using Figures = std::vector<std::pair<std::string, std::string>>;

std::string optional_figure(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "none"; }

Figures figures_of(const LawEvidence& law) {
  Figures figures{{"elements", fmt::format("{}", law.elements)},
                  {"failures", fmt::format("{}", law.failures)},
                  {"margin", optional_figure(law.margin)},
                  {"slack", optional_figure(law.slack)}};
  for (const auto& [name, count] : law.population) figures.emplace_back(name, fmt::format("{}", count));
  if (law.worst) {
    figures.emplace_back("worst element", law.worst->where);
    figures.emplace_back("inputs", law.worst->inputs);
    figures.emplace_back("observed", law.worst->observed);
    figures.emplace_back("truth", law.worst->truth);
    figures.emplace_back("error", fmt::format("{}", law.worst->error));
    figures.emplace_back("bound", fmt::format("{}", law.worst->bound));
  }
  return figures;
}

std::string first_difference(const LawEvidence& first, const LawEvidence& later) {
  Figures const before = figures_of(first), now = figures_of(later);
  for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i)
    if (before[i] != now[i])
      return fmt::format("{} {}, and {} {} at first", now[i].first, now[i].second, before[i].first, before[i].second);
  return before.size() == now.size() ? std::string() : fmt::format("{} figures, and {} at first", now.size(), before.size());
}

std::string without_digits(const std::string& output) {
  std::string text;
  for (char const c : output)
    if (c < '0' || c > '9') text += c;
  return text;
}

}  // namespace

std::string difference(const GateResult& first, const GateResult& later) {
  if (first.evidence.exit_code_only)
    return without_digits(first.process.output) == without_digits(later.process.output)
               ? std::string()
               : fmt::format("gate {} prints other words than at first", first.id);
  for (const LawEvidence& before : first.evidence.laws) {
    const LawEvidence* const now = later.evidence.find(before.law, before.subject);
    std::string const what = now == nullptr ? "did not report, and did at first" : first_difference(before, *now);
    if (!what.empty()) return fmt::format("gate {}: {} on {}: {}", first.id, before.law, before.subject, what);
  }
  return {};
}

std::string evidence_text(const GateResult& result) {
  std::string text = fmt::format("evidence of {} {}\n", result.id, gates::word(result.verdict));
  for (const LawEvidence& law : result.evidence.laws) {
    text += fmt::format("{} on {} {}\n", law.law, law.subject, gates::word(law.verdict));
    for (const auto& [name, figure] : figures_of(law)) text += fmt::format("  {} {}\n", name, figure);
  }
  return text;
}

}  // namespace redproof::mutants
