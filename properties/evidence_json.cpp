// The evidence of this process: docs/evidence.md says what each key means.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "properties/cannot_check.h"
#include "properties/run.h"
#include "properties/write_file.h"

namespace redproof::properties {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// JSON has no infinity: an error that has no finite size is written as text.
Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json optional_number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

const char* word(LawVerdict verdict) {
  switch (verdict) {
    case LawVerdict::green:
      return "green";
    case LawVerdict::red:
      return "red";
    case LawVerdict::vacuous:
      break;
  }
  return "vacuous";
}

Json worst_of(const Tally& tally) {
  if (!tally.worst) return nullptr;
  return {{"where", tally.worst->where}, {"inputs", tally.worst->inputs},      {"observed", tally.worst->observed},
          {"truth", tally.worst->truth}, {"error", number(tally.worst_error)}, {"bound", number(tally.worst_bound)}};
}

Json entry(const LawReport& report) {
  Json json = {{"law", report.law.name},
               {"subject", report.law.subject},
               {"verdict", word(report.verdict)},
               {"reason", report.reason},
               {"elements", report.tally.elements},
               {"failures", report.tally.failures},
               {"population", report.tally.population},
               {"floors", report.law.floors},
               {"separates", report.law.separates},
               {"bound", report.law.bound},
               {"margin", optional_number(report.margin)},
               {"slack", optional_number(report.slack)},
               {"worst", worst_of(report.tally)},
               {"reproduce", "gates run " + text_of("REDPROOF_GATE") + " --seed " + std::to_string(run_seed())}};
  return json;
}

Json document() {
  Json laws = Json::array();
  std::uint64_t elements = 0;
  for (auto const& report : reports()) {
    laws.push_back(entry(report));
    elements += report.tally.elements;
  }
  return {{"nonce", text_of("REDPROOF_NONCE")},
          {"schema", "redproof.evidence.1"},
          {"gate", text_of("REDPROOF_GATE")},
          {"program", "gates_cpu"},
          {"seed", run_seed()},
          {"laws", laws},
          {"mutant", nullptr},
          {"end", {{"laws", laws.size()}, {"elements", elements}}}};
}

// False where it could not be written; errno says why.
bool write(const std::string& path, const std::string& text) {
  std::string const temporary = path + ".tmp";
  return write_file(temporary, [&](std::ofstream& file) { file << text << '\n'; }) && std::rename(temporary.c_str(), path.c_str()) == 0;
}

// The last words of a program that has shown nothing, however green its laws were: they are not told.
int fail_without_evidence(const std::string& path) {
  CannotCheck const failure = cannot_write(path);
  std::remove((path + ".tmp").c_str());
  std::fflush(stdout);
  std::fprintf(stderr, "gates_cpu: %s; without evidence no law counts\n", failure.what());
  return 70;
}

int exit_code() {
  bool vacuous = reports().empty();
  for (auto const& report : reports()) {
    if (report.verdict == LawVerdict::red) return 2;
    vacuous = vacuous || report.verdict == LawVerdict::vacuous;
  }
  return vacuous ? 8 : 0;
}

void print(const LawReport& report) {
  std::printf("%s %s [%s]: %llu elements, %llu failures%s%s\n", word(report.verdict), report.law.name.c_str(), report.law.subject.c_str(),
              static_cast<unsigned long long>(report.tally.elements), static_cast<unsigned long long>(report.tally.failures),
              report.reason.empty() ? "" : ": ", report.reason.c_str());
  if (report.verdict != LawVerdict::red || !report.tally.worst) return;
  auto const& worst = *report.tally.worst;
  std::printf("  at %s\n  inputs %s\n  observed %s, truth %s, error %g, bound %g\n", worst.where.c_str(), worst.inputs.c_str(),
              worst.observed.c_str(), worst.truth.c_str(), report.tally.worst_error, report.tally.worst_bound);
}

}  // namespace

int close_evidence() {
  std::string const path = text_of("REDPROOF_EVIDENCE");
  std::string const text = document().dump(-1, ' ', false, Json::error_handler_t::replace);
  if (!path.empty() && !write(path, text)) return fail_without_evidence(path);
  for (auto const& report : reports()) print(report);
  return exit_code();
}

}  // namespace redproof::properties
