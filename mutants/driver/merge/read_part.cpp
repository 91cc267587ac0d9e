#include <fmt/format.h>

#include <set>

#include "gates/runner/json_document.h"
#include "gates/runner/printable.h"
#include "gates/runner/read_file.h"
#include "mutants/driver/catalog/catalog.h"
#include "mutants/driver/merge/part.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;
using gates::JsonDocument;
using gates::JsonValue;

constexpr std::uint64_t most_outcome_bytes = 1u << 30;

JsonDocument read_document(const fs::path& file, const std::string& schema) {
  if (!fs::exists(file))
    throw gates::Refusal(fmt::format("{}: is not there: no whole run of mutate left this folder", gates::printable(file.string())));
  auto document = JsonDocument::read(file);
  if (document.root().at("schema").text() != schema) document.root().at("schema").refuse("is not " + schema);
  return document;
}

Expectation expectation_of(const JsonValue& json) {
  for (Expectation const expects : {Expectation::law, Expectation::crash, Expectation::timeout, Expectation::oom})
    if (word(expects) == json.text()) return expects;
  json.refuse("is no ending");
}

PlannedMutant planned_of(const JsonValue& json) {
  PlannedMutant planned;
  planned.mutant.id = safe_path_of(json.at("id"));
  planned.mutant.defect = json.at("defect").text();
  planned.key = json.at("key").text();
  for (const JsonValue& file : json.at("files").items())
    planned.finding.files.push_back({safe_path_of(file.at("path")), {}, {}, file.at("before").text(), file.at("after").text()});
  planned.finding.stale = json.at("stale").text();
  planned.finding.broken = json.at("broken").text();
  planned.mutant.suppressed = json.at("suppressed").text();
  planned.mutant.targets = json.at("targets").texts();
  for (const JsonValue& red : json.at("reds").items())
    planned.mutant.reds.push_back({red.at("gate").text(), red.at("law").text(), red.at("message").text()});
  planned.mutant.keeps_green = json.at("keeps_green").texts();
  planned.mutant.expects = expectation_of(json.at("expects"));
  planned.mutant.generated = json.at("generated").boolean();
  planned.mutant.equivalent = json.at("equivalent").boolean();
  planned.mutant.witness.gate = json.at("witness_gate").text();
  return planned;
}

Plan read_plan(const fs::path& file) {
  auto const document = read_document(file, "redproof.plan.1");
  JsonValue const json = document.root();
  if (json.at("tool").text() != tool_version) json.at("tool").refuse(std::string("is not ") + tool_version);
  Plan plan;
  plan.root = json.at("root").text();
  plan.tree_sha256 = json.at("tree_sha256").text();
  plan.planting = json.at("planting").text();
  plan.seed = json.at("seed").natural();
  plan.timeout_factor = json.at("timeout_factor").number();
  plan.matrix = json.at("matrix").boolean();
  for (const JsonValue& mutant : json.at("mutants").items()) {
    plan.mutants.push_back(planned_of(mutant));
    plan.mutants.back().every_gate = plan.matrix;
  }
  return plan;
}

ShardRecord read_shard(const fs::path& file) {
  auto const document = read_document(file, "redproof.selection.1");
  JsonValue const json = document.root();
  ShardRecord record;
  record.catalog_sha256 = json.at("catalog_sha256").text();
  record.selected = json.at("selected").texts();
  record.shard.count = static_cast<unsigned>(json.at("shard").at("count").natural(100'000));
  record.shard.index = static_cast<unsigned>(json.at("shard").at("index").natural(100'000));
  if (record.shard.index < 1 || record.shard.index > record.shard.count) json.at("shard").refuse("is no k of n");
  return record;
}

EndRecord read_end(const fs::path& file) {
  auto const document = read_document(file, "redproof.end.1");
  JsonValue const json = document.root();
  EndRecord record;
  for (const JsonValue& code : json.at("exit_codes").items()) record.exit_codes.push_back(static_cast<int>(code.natural(255)));
  record.notes = json.at("notes").texts();
  record.seconds = json.at("seconds").number();
  return record;
}

// Where both plantings ran, the first line of a mutant is the one that counts.
std::vector<Record> read_outcomes(const fs::path& file) {
  std::string const text = gates::read_file(file, most_outcome_bytes);
  std::vector<Record> records;
  std::set<std::string> seen;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    auto record = record_of(text.substr(at, end - at));
    ++number;
    if (!record) throw gates::Refusal(fmt::format("{}: line {} is no outcome", gates::printable(file.string()), number));
    if (seen.insert(record->id).second) records.push_back(std::move(*record));
    at = end + 1;
  }
  return records;
}

}  // namespace

void copy_kept(const fs::path& from, const fs::path& to) {
  for (const char* kept : {"diff", "logs"})
    if (fs::is_directory(from / kept))
      fs::copy(from / kept, to / kept,
               fs::copy_options::recursive | fs::copy_options::overwrite_existing | fs::copy_options::skip_symlinks);
}

Part read_part(const fs::path& folder) {
  Part part;
  part.folder = folder;
  part.plan = read_plan(folder / "plan.json");
  part.shard = read_shard(folder / "selection.json");
  part.end = read_end(folder / "end.json");
  part.records = read_outcomes(folder / "outcomes.jsonl");
  return part;
}

}  // namespace redproof::mutants
