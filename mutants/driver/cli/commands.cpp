#include "mutants/driver/cli/commands.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <thread>

#include "gates/runner/atomic_file.h"
#include "gates/runner/catalog.h"
#include "gates/runner/exit_code.h"
#include "gates/runner/printable.h"
#include "gates/runner/read_file.h"
#include "gates/runner/refusal.h"
#include "gates/runner/safe_path.h"
#include "gates/runner/standard_streams.h"
#include "mutants/driver/catalog/catalog.h"
#include "mutants/driver/generate/generate.h"
#include "mutants/driver/lab/open_files.h"
#include "mutants/driver/report/estimate.h"
#include "mutants/driver/report/report.h"
#include "mutants/driver/report/scores.h"
#include "mutants/driver/run/output_folder.h"
#include "mutants/driver/run/prepare.h"
#include "mutants/driver/select/git_diff.h"

namespace redproof::mutants {

namespace fs = std::filesystem;

int deliver(const CommandLine& line, const std::string& text, int code) {
  try {
    line.output.empty() ? gates::print(text) : gates::write_file_atomically(line.output, text);
  } catch (const gates::Refusal& refusal) {
    std::fprintf(stderr, "mutate: %s\n", gates::printable(refusal.what()).c_str());
    code = gates::louder(code, gates::exit_refused);
  }
  return code;
}

std::string report_text(const CommandLine& line, const RunReport& report) {
  if (line.format == "json") return json_report(report);
  if (line.format == "junit") return junit_report(report);
  if (line.format == "github") return github_report(report);
  if (line.format == "sarif") return sarif_report(report);
  if (line.format == "elements") return elements_report(report);
  return line.check ? check_summary(report) : human_summary(report);
}

void resolve_out(CommandLine& line) {
  // A trailing slash or dot would be a part of the name.
  line.run.out = fs::weakly_canonical(fs::absolute(line.run.out));
  if (!line.run.out.has_filename()) line.run.out = line.run.out.parent_path();
}

namespace {

// A name that is empty would stand for nothing, or for a mistake.
std::vector<std::string> split_at_commas(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists)
    for (std::size_t at = 0; at <= list.size();) {
      auto const end = std::min(list.find(',', at), list.size());
      if (end == at) throw gates::Refusal(fmt::format("--operators: \"{}\" has an empty name", gates::printable(list, 80)));
      names.push_back(list.substr(at, end - at));
      at = end + 1;
    }
  return names;
}

// Without words of its own, as before another option, it takes the words that stand alone.
void resolve_generate(CommandLine& line) {
  auto& paths = line.run.generate;
  if (paths.size() == 1 && paths.front().empty()) paths.clear();
  if (std::find(paths.begin(), paths.end(), std::string()) != paths.end()) throw gates::Refusal("--generate: is empty");
  if (line.generates && paths.empty()) paths.swap(line.run.filters);
  if (line.generates && paths.empty()) throw gates::Refusal("--generate: name files, folders or globs of sources");
  if (!line.generates && !line.run.operators.empty())
    throw gates::Refusal("--operators: goes with --generate; the mutants of a catalogue have no operators");
}

}  // namespace

void resolve_paths(CommandLine& line) {
  line.run.operators = split_at_commas(line.run.operators);
  resolve_generate(line);
  if (line.catalog.empty() && !line.run.generate.empty()) line.catalog = "mutants";
  if (line.catalog.empty()) throw gates::Refusal("--catalog DIR is missing");
  if (!fs::is_directory(line.catalog)) throw gates::Refusal(line.catalog.string() + ": no such catalogue");
  line.run.catalog = fs::canonical(line.catalog);
  if (!line.root.empty() && !fs::is_directory(line.root)) throw gates::Refusal("--root: " + line.root.string() + ": no such folder");
  line.run.root = fs::canonical(line.root.empty() ? gates::find_root(line.run.catalog) : line.root);
  resolve_out(line);
  check_output_is_apart(line.run.out, line.run.root);
  if (!line.compile_commands.empty()) line.run.compile_commands = fs::absolute(line.compile_commands);
}

// An empty variable is none, as everywhere.
void resolve_cache(CommandLine& line) {
  const char* const variable = std::getenv("REDPROOF_VERDICTS");
  if (line.no_cache) return;
  if (line.cache.empty() && variable != nullptr) line.cache = variable;
  if (!line.cache.empty()) line.run.cache = fs::weakly_canonical(fs::absolute(line.cache));
}

void require_output(const CommandLine& line, bool makes_out) {
  if (line.output.empty()) return;
  auto const target = fs::weakly_canonical(fs::absolute(line.output));
  if (makes_out && target.parent_path() == line.run.out) return;
  if (makes_out && gates::is_at_or_below(target, line.run.out))
    throw gates::Refusal(line.output.string() + ": the output folder is made anew by the run; name a file beside it, or directly in it");
  gates::require_writable(line.output);
}

namespace {

constexpr std::uint64_t most_diff_bytes = 256u << 20;

std::string diff_text(const std::string& file) {
  try {
    if (file != "-") return gates::read_file(file, most_diff_bytes);
  } catch (const gates::Refusal& refusal) {
    throw DiffError(gates::exit_diff_unread, std::string("the diff cannot be read: ") + refusal.what());
  }
  std::string text;
  std::array<char, 65536> block{};
  while (std::size_t const read = std::fread(block.data(), 1, block.size(), stdin)) {
    text.append(block.data(), read);
    if (text.size() > most_diff_bytes) throw DiffError(gates::exit_diff_unread, "the diff cannot be read: more than 256 MiB");
  }
  if (std::ferror(stdin) != 0) throw DiffError(gates::exit_diff_unread, "the diff cannot be read: stdin fails");
  return text;
}

void resolve_selection(CommandLine& line) {
  Selection& selection = line.run.selection;
  if (line.shard) selection.shard = shard_of(*line.shard);
  if (line.in_diff) selection.diff = parse_diff(diff_text(*line.in_diff));
  if (line.since) selection.diff = diff_since(line.run.root, *line.since);
  if (selection.diff) check_matches(*selection.diff, line.run.root);
  if (line.max_time > 0)
    line.run.start_none_after = std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<long long>(line.max_time * 1000));
}

// Progress goes beside the report: to stdout where that is for people anyway.
void follow(CommandLine& line) {
  bool const to_stdout = line.format == "human" && line.output.empty();
  bool const verbose = line.verbose;
  line.run.on_note = [](const std::string& note) { std::fprintf(stderr, "mutate: %s\n", gates::printable(note).c_str()); };
  line.run.on_record = [to_stdout, verbose, &line](const Record& record, const PlannedMutant& planned) {
    std::string const text = verbose ? record_detail(record, planned) : record_line(record) + "\n";
    if (!to_stdout) {
      std::fwrite(text.data(), 1, text.size(), stderr);
      return;
    }
    line.stdout_failed = true;
    gates::print(text);
    line.stdout_failed = false;
  };
}

// Which lines a mutant changes, and what operators make, is known only once the tree is parsed.
std::vector<Mutant> selected_mutants(const CommandLine& line) {
  if (!line.run.selection.diff && line.run.generate.empty()) return load_inputs(line.run).mutants;
  std::vector<Mutant> mutants;
  for (const PlannedMutant& planned : check(line.run).plan.mutants) mutants.push_back(planned.mutant);
  return mutants;
}

int list_mutants(const CommandLine& line) {
  auto const mutants = selected_mutants(line);
  std::string text;
  for (const Mutant& mutant : mutants) text += gates::printable(fmt::format("{}  {}", mutant.id, mutant.defect)) + "\n";
  if (mutants.empty()) std::fprintf(stderr, "mutate: no mutant is selected\n");
  return deliver(line, text, mutants.empty() ? gates::exit_no_evidence : gates::exit_as_declared);
}

std::string dry_line(const PlannedMutant& planned) {
  const Mutant& mutant = planned.mutant;
  std::string text = fmt::format("{}: build {}; run {}", mutant.id, fmt::join(mutant.targets, " "), fmt::join(mutant.gates(), " "));
  for (const MutatedFile& file : planned.finding.files) text += fmt::format("; {} {}", file.path, file.before_sha256.substr(0, 12));
  return gates::printable(text) + "\n";
}

int dry_run(const CommandLine& line) {
  check_output_place(line.run.out, line.run.root);
  RunReport const report = check(line.run);
  std::string text;
  for (const PlannedMutant& planned : report.plan.mutants)
    if (!planned.finding.files.empty()) text += dry_line(planned);
  std::map<std::string, double> seconds;
  for (const auto& [key, record] : earlier_records(line.run.out)) seconds[record.id] = record.seconds;
  return deliver(line, text + estimate(report.plan, seconds, line.run.jobs) + check_summary(report), report.exit_code());
}

int tell(const CommandLine& line, RunReport report) {
  if (line.threshold) hold_to_threshold(*line.threshold, report);
  return line.stdout_failed ? report.exit_code() : deliver(line, report_text(line, report), report.exit_code());
}

int run_prepared_folder(CommandLine& line) {
  if (!fs::is_directory(line.prepared)) throw gates::Refusal("--prepared: " + line.prepared.string() + ": no such folder");
  if (line.format == "sarif" || line.format == "github" || line.format == "elements")
    throw gates::Refusal(
        fmt::format("--format {}: shows sources, and a prepared folder has none; mutate merge makes it of the output folder", line.format));
  require_open_files(line.run.jobs);
  resolve_out(line);
  require_output(line, true);
  resolve_selection(line);
  follow(line);
  return tell(line, run_prepared(line.run, fs::canonical(line.prepared)));
}

}  // namespace

int mutate(CommandLine& line) {
  if (line.run.operators == std::vector<std::string>{"list"}) {
    require_output(line, false);
    return deliver(line, operators_help(), gates::exit_as_declared);
  }
  if (!line.prepared.empty()) return run_prepared_folder(line);
  line.run.prepare = !line.prepare.empty();
  if (line.run.prepare) line.run.out = line.prepare;
  if (line.catalog.empty() && !line.generates) throw gates::Refusal("--catalog DIR is missing, or a subcommand: " + line.subcommands);
  resolve_paths(line);
  require_output(line, !line.list && !line.dry_run && !line.check);
  resolve_selection(line);
  if (line.list) return list_mutants(line);
  if (line.dry_run) return dry_run(line);
  if (line.check) {
    RunReport const report = check(line.run);
    return deliver(line, report_text(line, report), report.exit_code());
  }
  resolve_cache(line);
  require_open_files(line.run.jobs);
  line.verbose = line.verbose || load_inputs(line.run).selected.size() == 1;
  follow(line);
  return tell(line, run(line.run));
}

int print_symbols(CommandLine& line) {
  require_output(line, false);
  line.run.root = fs::canonical(line.root.empty() ? fs::current_path() : line.root);
  if (!line.compile_commands.empty()) line.run.compile_commands = fs::absolute(line.compile_commands);
  auto const database = compile_commands_of(line.run, {});
  for (const std::string& file : line.files)
    if (!is_safe_path(file)) throw gates::Refusal(file + ": must be a path inside the root, without ..");
  std::string text;
  for (const std::string& symbol : symbols(line.files, {line.run.root, database, std::max(1U, std::thread::hardware_concurrency())}))
    text += gates::printable(symbol) + "\n";
  return deliver(line, text, gates::exit_as_declared);
}

}  // namespace redproof::mutants
