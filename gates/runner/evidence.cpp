#include "gates/runner/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gates/runner/json_document.h"
#include "gates/runner/printable.h"
#include "gates/runner/read_file.h"

namespace redproof::gates {

namespace {

constexpr std::uint64_t most_elements = 1ull << 53;  // sums of up to 2^10 laws stay far below 2^64
constexpr std::size_t most_laws = 1024;

Counts counts_of(const JsonValue& value) {
  Counts counts;
  for (auto const& [name, count] : value.members()) counts.emplace_back(name, count.natural(most_elements));
  return counts;
}

std::optional<double> optional_number(const JsonValue& value) {
  if (value.is_null()) return std::nullopt;
  return value.extended_number();
}

std::optional<WorstElement> worst_of(const JsonValue& value) {
  if (value.is_null()) return std::nullopt;
  value.allow_only({"where", "inputs", "observed", "truth", "error", "bound"});
  return WorstElement{value.at("where").text(), value.at("inputs").text(),           value.at("observed").text(),
                      value.at("truth").text(), value.at("error").extended_number(), value.at("bound").extended_number()};
}

Verdict verdict_in(const JsonValue& value) {
  auto const verdict = verdict_of(value.text());
  bool const allowed = verdict == Verdict::green || verdict == Verdict::red || verdict == Verdict::vacuous || verdict == Verdict::skipped;
  if (!allowed) value.refuse("must be green, red, vacuous or skipped");
  return *verdict;
}

LawEvidence law_of(const JsonValue& value) {
  value.allow_only({"law", "subject", "verdict", "reason", "elements", "failures", "population", "floors", "separates", "bound", "margin",
                    "slack", "worst", "reproduce"});
  LawEvidence law;
  law.law = value.at("law").nonempty_text();
  law.subject = value.at("subject").nonempty_text();
  law.verdict = verdict_in(value.at("verdict"));
  law.reason = value.at("reason").text();
  law.elements = value.at("elements").natural(most_elements);
  law.failures = value.at("failures").natural(law.elements);
  law.population = counts_of(value.at("population"));
  law.floors = counts_of(value.at("floors"));
  law.separates = value.at("separates").texts();
  law.bound = value.at("bound").text();
  law.margin = optional_number(value.at("margin"));
  law.slack = optional_number(value.at("slack"));
  law.worst = worst_of(value.at("worst"));
  law.reproduce = value.at("reproduce").text();
  return law;
}

std::vector<LawEvidence> laws_of(const JsonValue& value) {
  auto const items = value.items();
  if (items.size() > most_laws) value.refuse(fmt::format("more than {} entries", most_laws));
  std::vector<LawEvidence> laws;
  for (auto const& item : items) {
    auto law = law_of(item);
    auto const same = [&](const LawEvidence& other) { return other.law == law.law && other.subject == law.subject; };
    if (std::any_of(laws.begin(), laws.end(), same))
      item.refuse(fmt::format("{} for {} is reported twice", printable(law.law, 80), printable(law.subject, 80)));
    laws.push_back(std::move(law));
  }
  return laws;
}

std::optional<ActiveMutant> mutant_of(const JsonValue& value) {
  if (value.is_null()) return std::nullopt;
  value.allow_only({"id", "hits"});
  return ActiveMutant{value.at("id").nonempty_text(), value.at("hits").natural()};
}

void demand(const JsonValue& value, const std::string& truth) {
  auto const text = value.text();
  if (text != truth) value.refuse(fmt::format("is \"{}\", not \"{}\"", printable(text, 80), truth));
}

// The first key is the nonce and the last is `end`: a file that was cut off or glued together shows.
void check_frame(const JsonValue& root, const std::string& nonce) {
  auto const members = root.members();
  if (members.empty() || members.front().first != "nonce") root.refuse("does not begin with \"nonce\"");
  demand(members.front().second, nonce);
  if (members.back().first != "end") root.refuse("does not end with \"end\"");
}

void check_end(const JsonValue& end, const Evidence& evidence) {
  end.allow_only({"laws", "elements"});
  if (end.at("laws").natural() != evidence.laws.size()) end.at("laws").refuse(fmt::format("is not {}", evidence.laws.size()));
  if (end.at("elements").natural() != evidence.elements()) end.at("elements").refuse(fmt::format("is not {}", evidence.elements()));
}

Evidence evidence_of(const JsonValue& root, const std::string& nonce, const std::string& gate) {
  check_frame(root, nonce);
  root.allow_only({"nonce", "schema", "gate", "program", "seed", "laws", "mutant", "end"});
  demand(root.at("schema"), "redproof.evidence.1");
  demand(root.at("gate"), gate);
  Evidence evidence;
  evidence.gate = gate;
  evidence.program = root.at("program").nonempty_text();
  evidence.seed = root.at("seed").natural();
  evidence.laws = laws_of(root.at("laws"));
  evidence.mutant = mutant_of(root.at("mutant"));
  check_end(root.at("end"), evidence);
  return evidence;
}

}  // namespace

std::uint64_t Evidence::elements() const {
  std::uint64_t sum = 0;
  for (auto const& law : laws) sum += law.elements;
  return sum;
}

std::optional<double> Evidence::least_margin() const {
  std::optional<double> least;
  for (auto const& law : laws)
    if (law.margin && (!least || *law.margin < *least)) least = law.margin;
  return least;
}

std::optional<double> Evidence::most_slack() const {
  std::optional<double> most;
  for (auto const& law : laws)
    if (law.slack && (!most || *law.slack > *most)) most = law.slack;
  return most;
}

const LawEvidence* Evidence::find(const std::string& law, const std::string& subject) const {
  auto const at =
      std::find_if(laws.begin(), laws.end(), [&](const LawEvidence& entry) { return entry.law == law && entry.subject == subject; });
  return at == laws.end() ? nullptr : &*at;
}

EvidenceReading read_evidence(const std::filesystem::path& path, const std::string& nonce, const std::string& gate) {
  EvidenceReading reading;
  std::error_code error;
  if (std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::not_found) {
    reading.absent = true;
    reading.broken = "left no evidence";
    return reading;
  }
  try {
    auto const text = read_file(path, evidence_limit_bytes, false);
    auto const document = JsonDocument::parse(text, "evidence", {evidence_limit_bytes, 64});
    reading.evidence = evidence_of(document.root(), nonce, gate);
  } catch (const Refusal& refusal) {
    // The path is drawn anew for every run: it tells nobody anything.
    std::string const what = refusal.what();
    reading.broken = what.starts_with(path.string()) ? "evidence" + what.substr(path.string().size()) : what;
  }
  return reading;
}

}  // namespace redproof::gates
