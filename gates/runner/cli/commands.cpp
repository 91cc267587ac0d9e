#include "gates/runner/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "gates/runner/atomic_file.h"
#include "gates/runner/catalog.h"
#include "gates/runner/check.h"
#include "gates/runner/disk_space.h"
#include "gates/runner/exit_code.h"
#include "gates/runner/interrupt.h"
#include "gates/runner/listing.h"
#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "gates/runner/report.h"
#include "gates/runner/run.h"
#include "gates/runner/standard_streams.h"
#include "gates/runner/temporary_folder.h"

namespace redproof::gates {

namespace {

void deliver(const GatesOptions& options, const std::string& text) {
  if (options.output.empty()) return print(text);
  write_file_atomically(options.output, text);
}

std::filesystem::path root_of(const GatesOptions& options) {
  if (options.root.empty()) return find_root(std::filesystem::current_path());
  if (!std::filesystem::is_directory(options.root)) throw Refusal(fmt::format("--root: {}: no folder", printable(options.root.string())));
  return std::filesystem::canonical(options.root);
}

std::filesystem::path bin_of(const GatesOptions& options) {
  if (options.bin.empty()) return std::filesystem::canonical("/proc/self/exe").parent_path();
  if (!std::filesystem::is_directory(options.bin)) throw Refusal(fmt::format("--bin: {}: no folder", printable(options.bin.string())));
  return std::filesystem::canonical(options.bin);
}

void note(const std::string& text) { std::fprintf(stderr, "gates: %s\n", printable(text).c_str()); }

// Those that the patterns name. A root without any is refused where one is asked for by name, and is an empty set where none is.
std::vector<Gate> selected_in(const std::filesystem::path& root, const std::vector<std::string>& patterns) {
  auto const all = std::filesystem::is_directory(root / "gates") ? load_gates(root / "gates") : std::vector<Gate>();
  if (all.empty() && !patterns.empty()) throw Refusal(no_gates_in(root));
  if (all.empty()) note(no_gates_in(root));
  return select_gates(all, patterns);
}

// `cpu/avx2` narrows what a gate of the subject `cpu` checks.
void keep_subject(std::vector<Gate>& gates, const std::optional<std::string>& subject) {
  if (!subject || gates.empty()) return;
  auto const family = subject->substr(0, subject->find('/'));
  std::erase_if(gates,
                [&](const Gate& gate) { return std::find(gate.subjects.begin(), gate.subjects.end(), family) == gate.subjects.end(); });
  if (gates.empty()) note(fmt::format("--subject: {}: no gate of these has it", *subject));
}

// The night runs what a merge runs, and more.
void keep_stage(std::vector<Gate>& gates, const std::string& stage) {
  if (stage != word(Stage::premerge) || gates.empty()) return;
  std::erase_if(gates, [](const Gate& gate) { return gate.stage != Stage::premerge; });
  if (gates.empty()) note(fmt::format("--stage: {}: no gate of these is run then", stage));
}

// Prints each gate as soon as all gates before it have ended, so that the order never depends on the number of jobs.
class Progress {
 public:
  Progress(const std::vector<Gate>& gates, bool prints) : gates_(gates), prints_(prints) {}

  void note(const GateResult& result) {
    if (!prints_) return;
    waiting_[result.id] = human_lines(result);
    for (auto at = next_ < gates_.size() ? waiting_.find(gates_[next_].id) : waiting_.end(); at != waiting_.end();
         at = next_ < gates_.size() ? waiting_.find(gates_[next_].id) : waiting_.end()) {
      print(at->second);
      waiting_.erase(at);
      ++next_;
    }
  }

  // What waits for a gate that an interrupt has cut off.
  void flush() {
    for (auto const& [id, lines] : waiting_) print(lines);
  }

 private:
  const std::vector<Gate>& gates_;
  bool prints_;
  std::size_t next_ = 0;
  std::map<std::string, std::string> waiting_;
};

// What went wrong for want of room may read as anything.
void tell_full_disk(const RunReport& report) {
  bool const full = std::any_of(report.results.begin(), report.results.end(), [](const GateResult& result) { return result.in_full_disk; });
  if (full) note(no_space_in(temporary_folder(), "TMPDIR"));
}

std::string in_format(const RunReport& report, const std::string& format) {
  if (format == "json") return json_report(report);
  if (format == "junit") return junit_report(report);
  if (format == "github") return github_report(report);
  return human_report(report);
}

}  // namespace

int list_gates(const GatesOptions& options) {
  auto gates = selected_in(root_of(options), options.patterns);
  keep_subject(gates, options.subject);
  keep_stage(gates, options.stage);
  deliver(options, options.format == "json" ? json_listing(gates) : human_listing(gates));
  return gates.empty() ? exit_no_evidence : exit_as_declared;
}

int run_selected(const GatesOptions& options) {
  RunOptions run;
  run.root = root_of(options);
  run.bin = bin_of(options);
  run.seed = options.seed;
  run.timeout_factor = options.timeout_factor;
  run.subject = options.subject;
  RunReport report;
  report.gates = selected_in(run.root, options.patterns);
  keep_subject(report.gates, options.subject);
  keep_stage(report.gates, options.stage);
  report.seed = options.seed;
  report.subject = options.subject;
  // stdout is for a reader unless it is the place of another format.
  bool const to_file = !options.output.empty();
  bool const prints = to_file || options.format == "human";
  if (prints) print(fmt::format("seed {}{}\n", run.seed, run.subject ? ", subject " + printable(*run.subject) : ""));
  Progress progress(report.gates, prints);
  report.results = run_gates(report.gates, run, options.jobs, [&](const GateResult& result) { progress.note(result); });
  report.interrupted = interrupted();
  progress.flush();
  tell_full_disk(report);
  if (to_file || !prints) deliver(options, in_format(report, options.format));
  if (prints) print(closing_lines(report));
  return exit_code_of(report);
}

int check_catalogue(const GatesOptions& options) {
  auto const root = root_of(options);
  auto const problems = check_gates(root, bin_of(options));
  std::string text;
  for (auto const& problem : problems) text += problem + "\n";
  auto const files = std::filesystem::is_directory(root / "gates") ? gate_files(root / "gates").size() : 0;
  deliver(options, text + fmt::format("{} gate files, {} problems\n", files, problems.size()));
  return problems.empty() ? exit_as_declared : exit_refused;
}

int show_gate(const GatesOptions& options) {
  std::string text;
  for (auto const& gate : selected_in(root_of(options), options.patterns)) text += human_page(gate);
  deliver(options, text);
  return exit_as_declared;
}

}  // namespace redproof::gates
