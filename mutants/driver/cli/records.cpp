// The verbs that look at one mutant, or at what runs left.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "gates/runner/atomic_file.h"
#include "gates/runner/exit_code.h"
#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/standard_streams.h"
#include "mutants/driver/cli/commands.h"
#include "mutants/driver/merge/merge.h"
#include "mutants/driver/plant/diff.h"
#include "mutants/driver/report/explain.h"
#include "mutants/driver/report/report.h"
#include "mutants/driver/report/schemas.h"
#include "mutants/driver/report/scores.h"
#include "mutants/driver/run/output_folder.h"
#include "mutants/driver/run/prepare.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

// As it stands in the user's tree now.
PlannedMutant find_one(CommandLine& line) {
  line.run.filters = {line.id};
  RunReport report = check(line.run);
  if (report.plan.mutants.size() != 1)
    throw gates::Refusal(fmt::format("{} names {} mutants; one is wanted", gates::printable(line.id), report.plan.mutants.size()));
  return std::move(report.plan.mutants.front());
}

std::optional<Record> record_in(const fs::path& out, const std::string& id) {
  std::ifstream stream(out / "outcomes.jsonl");
  for (std::string text; std::getline(stream, text);)
    if (auto record = record_of(text); record && record->id == id) return record;
  return std::nullopt;
}

// The mutated files have the hashes that the run saw.
bool is_of_now(const Record& record, const Finding& finding) {
  return std::all_of(record.files.begin(), record.files.end(), [&](const FileRecord& file) {
    return std::any_of(finding.files.begin(), finding.files.end(), [&](const MutatedFile& now) {
      return now.path == file.path && now.before_sha256 == file.before && now.after_sha256 == file.mutated;
    });
  });
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

fs::path root_of_parts(const CommandLine& line, const std::vector<Part>& parts) {
  if (!line.root.empty()) {
    if (!fs::is_directory(line.root)) throw gates::Refusal(line.root.string() + ": no such folder");
    return fs::canonical(line.root);
  }
  const fs::path& root = parts.front().plan.root;
  return fs::is_directory(root) ? root : fs::current_path();
}

}  // namespace

int merge_shards(CommandLine& line) {
  resolve_out(line);
  require_output(line, true);
  std::vector<Part> parts;
  for (const std::string& folder : line.files) {
    // The folder that is written is moved away first.
    std::error_code failed;
    if (fs::equivalent(folder, line.run.out, failed))
      throw gates::Refusal("merge: --out: " + gates::printable(folder) + ": is one of the folders to merge");
    parts.push_back(read_part(folder));
  }
  fs::path const root = root_of_parts(line, parts);
  check_output_place(line.run.out, root);
  Merged merged = merge(parts, root);
  write_merged(merged, parts, line.run.out);
  if (merged.report.plan.mutants.empty()) merged.report.exit_codes.push_back(gates::exit_no_evidence);
  if (line.threshold) hold_to_threshold(*line.threshold, merged.report);
  return deliver(line, report_text(line, merged.report), merged.report.exit_code());
}

namespace {

std::vector<std::string> project_words(const CommandLine& line) {
  std::vector<std::string> words{"--catalog", line.catalog.string()};
  auto const add = [&](const std::string& option, const std::vector<std::string>& values) {
    if (values.empty()) return;
    words.push_back(option);
    words.insert(words.end(), values.begin(), values.end());
  };
  if (!line.root.empty()) add("--root", {line.root.string()});
  add("--generate", line.run.generate);
  if (!line.run.operators.empty()) add("--operators", {fmt::format("{}", fmt::join(line.run.operators, ","))});
  if (!line.run.lab_config.empty()) add("--lab-config", {line.run.lab_config.string()});
  return words;
}

}  // namespace

int explain_mutant(CommandLine& line) {
  require_output(line, false);
  resolve_paths(line);
  Explained explained;
  explained.planned = find_one(line);
  Inputs inputs = load_inputs(line.run);
  explained.gates = std::move(inputs.gates);
  explained.lab = std::move(inputs.lab);
  explained.project = project_words(line);
  explained.seed = line.run.seed;
  explained.run = line.run.out.string();
  explained.record = record_in(line.run.out, explained.planned.mutant.id);
  explained.same_inputs = explained.record && is_of_now(*explained.record, explained.planned.finding);
  return deliver(line, explain(explained), gates::exit_as_declared);
}

int apply_mutant(CommandLine& line) {
  if (line.output != "-") require_output(line, false);
  resolve_paths(line);
  PlannedMutant const planned = find_one(line);
  const Finding& finding = planned.finding;
  if (finding.files.empty()) {
    std::fprintf(stderr, "mutate: %s: %s\n", planned.mutant.id.c_str(),
                 gates::printable(finding.stale.empty() ? finding.broken : finding.stale).c_str());
    return finding.stale.empty() ? gates::exit_no_evidence : gates::exit_stale;
  }
  std::string const patch = patch_of(finding.files);
  if (line.output == "-") {
    gates::print(patch);
    return gates::exit_as_declared;
  }
  fs::path const file = line.output.empty() ? fs::path(patch_name(planned.mutant.id)) : line.output;
  if (!line.force && is_there(file)) throw gates::Refusal(gates::printable(file.string()) + ": is there already; --force writes over it");
  gates::write_file_atomically(file, patch);
  gates::print(gates::printable(file.string()) + "\n");
  return gates::exit_as_declared;
}

int print_schema(const CommandLine& line) {
  require_output(line, false);
  return deliver(line, schema_of(line.schema), gates::exit_as_declared);
}

}  // namespace redproof::mutants
