#include "properties/run.h"

#include <rapidcheck.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "properties/cannot_check.h"

namespace redproof::properties {
namespace {

std::vector<LawReport>& kept() {
  static std::vector<LawReport> reports;
  return reports;
}

// The laws that alone are wanted, or nothing.
std::string asked_for() {
  const char* const laws = std::getenv("REDPROOF_LAWS");
  return laws == nullptr ? "" : laws;
}

// Draws through RapidCheck and remembers what it drew, for the failing case's witness.
class RapidCheckDraw : public Draw {
 public:
  std::int64_t integer(const std::string& name, std::int64_t low, std::int64_t high) override {
    auto const value = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(low, high + 1));
    drawn += " " + name + "=" + std::to_string(value);
    return value;
  }
  std::uint64_t bits(const std::string& name) override {
    auto const value = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
    drawn += " " + name + "=" + std::to_string(value);
    return value;
  }
  std::string drawn;
};

void merge(const Tally& from, Tally& into) {
  into.elements += from.elements;
  into.failures += from.failures;
  for (auto const& [bucket, count] : from.population) into.population[bucket] += count;
  for (auto const& [mutant, signal] : from.signals) into.signal(mutant, signal);
  if (from.worst_ratio > into.worst_ratio) {
    into.worst_ratio = from.worst_ratio;
    into.worst_error = from.worst_error;
    into.worst_bound = from.worst_bound;
    into.worst = from.worst;
  }
}

// The cases of one law. Shrinking repeats the body: its tallies replace the worst element and add nothing to the counts.
struct Run {
  const std::function<void(Draw&, Tally&)>& body;
  Tally total;
  std::string thrown;
  std::optional<std::string> cannot_check;
  bool failed = false;

  void one_case() {
    RapidCheckDraw draw;
    Tally tally;
    try {
      body(draw, tally);
    } catch (const CannotCheck& error) {
      cannot_check = error.what();
    } catch (const std::exception& error) {
      thrown = error.what();
      if (tally.equal(false)) tally.witness({"the whole case", "", std::string("threw: ") + error.what(), "no exception"});
    }
    if (tally.worst && !draw.drawn.empty()) tally.worst->inputs += (tally.worst->inputs.empty() ? "drawn:" : "; drawn:") + draw.drawn;
    bool const failing = tally.failures > 0;
    if (!failed) {
      merge(tally, total);
    } else if (failing) {
      total.worst = tally.worst;
      total.worst_ratio = tally.worst_ratio;
      total.worst_error = tally.worst_error;
      total.worst_bound = tally.worst_bound;
    }
    failed = failed || failing;
    RC_ASSERT(!failing && !cannot_check);
  }
};

// Keeps RapidCheck silent: the evidence tells what happened.
struct Silent : rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

std::optional<double> margin_of(const Law& law, const Tally& tally) {
  std::optional<double> least;
  for (auto const& mutant : law.separates) {
    auto const found = tally.signals.find(mutant);
    if (found != tally.signals.end() && (!least || found->second < *least)) least = found->second;
  }
  return least;
}

std::string why_vacuous(const Law& law, const Tally& tally, const std::optional<double>& margin) {
  if (tally.elements == 0) return "no element was checked";
  for (auto const& [bucket, floor] : law.floors) {
    auto const found = tally.population.find(bucket);
    std::uint64_t const count = found == tally.population.end() ? 0 : found->second;
    if (count < floor) return bucket + ": " + std::to_string(count) + " of at least " + std::to_string(floor);
  }
  for (auto const& [mutant, signal] : tally.signals) {
    if (!(signal >= 2.0)) return "the bound hides " + mutant + ": its signal is " + std::to_string(signal) + " bounds";
  }
  if (margin && !(*margin >= 2.0)) return "margin " + std::to_string(*margin) + " is below 2";
  return "";
}

void judge(LawReport& report) {
  Tally const& tally = report.tally;
  report.margin = margin_of(report.law, tally);
  if (tally.worst_ratio > 0.0 && std::isfinite(tally.worst_ratio)) report.slack = 1.0 / tally.worst_ratio;
  std::string const vacuous = why_vacuous(report.law, tally, report.margin);
  if (tally.failures > 0) {
    report.verdict = LawVerdict::red;
  } else if (!vacuous.empty()) {
    report.verdict = LawVerdict::vacuous;
    report.reason = vacuous;
  } else {
    report.verdict = LawVerdict::green;
  }
}

}  // namespace

bool Tally::within(double error, double bound) {
  ++elements;
  bool const inside = error <= bound && std::isfinite(bound);
  if (!inside) ++failures;
  double ratio = 0.0;
  if (!inside && !(bound > 0.0 && std::isfinite(error / bound))) {
    ratio = std::numeric_limits<double>::infinity();
  } else if (bound > 0.0) {
    ratio = error / bound;
  }
  if (!(ratio > worst_ratio)) return false;
  worst_ratio = ratio;
  worst_error = error;
  worst_bound = bound;
  return true;
}

void Tally::witness(Witness worst_element) { worst = std::move(worst_element); }

void Tally::count(const std::string& bucket, std::uint64_t count) { population[bucket] += count; }

void Tally::signal(const std::string& mutant, double error_over_bound) {
  auto const [found, fresh] = signals.try_emplace(mutant, error_over_bound);
  if (!fresh && error_over_bound > found->second) found->second = error_over_bound;
}

std::uint64_t run_seed() {
  const char* const text = std::getenv("REDPROOF_SEED");
  return text == nullptr || *text == '\0' ? 1 : std::strtoull(text, nullptr, 10);
}

bool is_asked_for(std::string_view law) {
  std::string const name(law.substr(0, law.find('(')));
  return asked_for().empty() || ("," + asked_for() + ",").find("," + name + ",") != std::string::npos;
}

LawVerdict run_law(const Law& law, const std::function<void(Draw&, Tally&)>& body) {
  Run run{body, {}, {}, {}, false};
  rc::detail::TestParams params;
  params.seed = run_seed();
  params.maxSuccess = law.cases;
  params.disableShrinking = !asked_for().empty();
  Silent silent;  // and an empty map of reproductions: RapidCheck's own configuration, with its seed, is never read
  auto const result = rc::detail::checkTestable([&run] { run.one_case(); }, rc::detail::TestMetadata{law.name, law.name}, params, silent,
                                                std::unordered_map<std::string, rc::detail::Reproduce>{});
  if (run.cannot_check) throw CannotCheck(law.name + ": " + *run.cannot_check);
  LawReport report{law, LawVerdict::vacuous, run.thrown, run.total, {}, {}};
  judge(report);
  rc::detail::SuccessResult finished;
  if (report.verdict == LawVerdict::green && !result.match(finished)) {
    report.verdict = LawVerdict::vacuous;
    report.reason = "the cases were not run to their end";
  }
  kept().push_back(report);
  return report.verdict;
}

const std::vector<LawReport>& reports() { return kept(); }

}  // namespace redproof::properties
