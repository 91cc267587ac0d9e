#include <fmt/format.h>

#include <map>

#include "gates/runner/exit_code.h"
#include "gates/runner/printable.h"
#include "mutants/driver/plant/diff.h"
#include "mutants/driver/report/report.h"
#include "mutants/driver/report/scores.h"

namespace redproof::mutants {
namespace {

const char* origin_of(const Record& record) {
  if (record.reused) return "  (from an earlier run on the same inputs)";
  return record.cached ? "  (from the cache)" : "";
}

std::string what_decided(const Record& record) {
  if (!record.reason.empty()) return record.reason;
  for (const GateRecord& gate : record.gates)
    if (gate.role == "red") return gate.law.empty() ? gate.gate : gate.gate + "/" + gate.law;
  return record.build.error;
}

std::string gate_lines(const GateRecord& gate) {
  std::string text = fmt::format("  gate {} ({}): {}, {} elements ({} pristine), {:.2f} s{}{}\n", gate.gate, gate.role, gate.verdict,
                                 gate.elements, gate.pristine_elements, gate.seconds, gate.confined ? "" : ", not confined",
                                 gate.exit_code_only ? ", exit code only" : "");
  if (!gate.law.empty()) text += fmt::format("    law {}: {} failures\n", gate.law, gate.failures);
  if (gate.worst) {
    const WorstRecord& worst = *gate.worst;
    text += fmt::format("    worst element: {}\n      inputs {}\n      observed {}  truth {}\n      error {}  bound {}\n", worst.where,
                        worst.inputs, worst.observed, worst.truth, worst.error, worst.bound);
  } else if (!gate.reason.empty()) {
    text += fmt::format("    {}\n", gate.reason);
  }
  return text;
}

std::string attempt_line(const AttemptRecord& attempt) {
  if (attempt.limit_seconds == 0) return fmt::format("  once more: {}, {:.2f} s: {}\n", attempt.what, attempt.seconds, attempt.ending);
  return fmt::format("  attempt: {} {}, limit {:.3g} s, {:.2f} s: {}\n", attempt.what, attempt.alone ? "alone" : "beside others",
                     attempt.limit_seconds, attempt.seconds, attempt.ending);
}

std::string build_line(const BuildRecord& build) {
  if (!build.ran) return "  build: not run\n";
  return fmt::format("  build: exit {}, {:.1f} s{}{}\n", build.exit_code, build.seconds, build.error.empty() ? "" : ": ", build.error);
}

std::string sums(const RunReport& report, bool names_laws) {
  std::map<Outcome, std::size_t> counts, declared;
  for (const Record& record : report.records) {
    ++counts[record.outcome];
    if (record.as_declared) ++declared[record.outcome];
  }
  std::string text;
  for (Outcome const outcome : all_outcomes)
    if (counts[outcome] > 0 && names_laws)
      text += fmt::format("  {:<16}{:>5}   {} as declared\n", word(outcome), counts[outcome], declared[outcome]);
    else if (counts[outcome] > 0)
      text += fmt::format("  {:<16}{:>5}\n", word(outcome), counts[outcome]);
  std::size_t const missing = report.plan.mutants.size() - report.records.size();
  if (missing > 0) text += fmt::format("  {:<16}{:>5}\n", "not run", missing);
  return text + fmt::format("  {:<16}{:>5}\n", "all", report.plan.mutants.size());
}

std::string share(const std::optional<double>& percent) { return percent ? fmt::format("{:.1f} %", *percent) : "no share"; }

std::string score_lines(const Scores& scores) {
  std::string text =
      fmt::format("{} killed + {} ended otherwise + {} alive + {} undecided + {} set aside + {} not run = {}\n", scores.killed,
                  scores.ended_otherwise, scores.alive, scores.undecided, scores.set_aside, scores.not_run, scores.all());
  text += fmt::format("killed: {} of {} judged, {}", scores.killed, scores.judged(), share(scores.killed_percent()));
  text += scores.names_laws ? fmt::format("; in the named gate's law: {}, {}\n", scores.by_named_law, share(scores.by_named_law_percent()))
                            : std::string(", by a law that went red\n");
  text += fmt::format("killed by what runs before a merge: {} of {} judged, {}\n", scores.before_merge, scores.judged(),
                      share(scores.before_merge_percent()));
  text += fmt::format("killed by only one of the gates that ran on it: {}\n", scores.by_one_gate.size());
  if (!scores.twins.empty()) text += fmt::format("alive, and compiled to the code of another one: {}\n", scores.twins.size());
  if (!scores.killing_set.empty()) text += fmt::format("gates that together kill all of these: {}\n", fmt::join(scores.killing_set, ", "));
  if (!scores.idle_gates.empty()) text += fmt::format("gates that ran and killed nothing: {}\n", fmt::join(scores.idle_gates, ", "));
  return text;
}

const char* ending(int code, bool names_laws) {
  if (code == gates::exit_threshold && !names_laws) return "too few are killed";
  if (code != gates::exit_as_declared) return names_laws ? "not all as declared" : "not all could be judged";
  return names_laws ? "all as declared" : "all judged; of generated mutants nothing is declared, and those alive fail no run";
}

std::string not_as_declared(const RunReport& report) {
  std::string text;
  for (const Record& record : report.records)
    if (!record.as_declared) text += fmt::format("  {:<16}{}: {}\n", word(record.outcome), record.id, what_decided(record));
  return text.empty() ? text : "not as declared:\n" + text;
}

}  // namespace

std::string record_line(const Record& record) {
  return gates::printable(fmt::format("{:<16}{}  {}  {:.1f} s{}{}", word(record.outcome), record.id, what_decided(record), record.seconds,
                                      origin_of(record), record.as_declared ? "" : "  NOT AS DECLARED"));
}

std::string record_detail(const Record& record, const PlannedMutant& planned) {
  std::string text = fmt::format("{}: {}\n", record.id, planned.mutant.defect);
  if (record.reused || record.cached) text += fmt::format("{}\n", origin_of(record));
  text += patch_of(planned.finding.files);
  for (const FileRecord& file : record.files)
    text += fmt::format("  {}\n    sha256 before   {}\n           mutated  {}\n           restored {}\n", file.path, file.before,
                        file.mutated, file.restored);
  text += build_line(record.build);
  for (const ProgramRecord& program : record.programs)
    if (program.before != "absent" || program.mutated != "absent")
      text += fmt::format("  program {}: {} -> {}{}\n", program.path, program.before.substr(0, 16), program.mutated.substr(0, 16),
                          program.before == program.mutated ? " (unchanged)" : "");
  for (const EditRecord& edit : record.edits) text += fmt::format("  {}: {}\n", edit.edit, edit.effect);
  for (const GateRecord& gate : record.gates) text += gate_lines(gate);
  for (const AttemptRecord& attempt : record.attempts) text += attempt_line(attempt);
  return gates::printable_block(text + fmt::format("  outcome: {}{}{}\n", word(record.outcome),
                                                   record.as_declared ? ", as declared" : ", not as declared",
                                                   record.reason.empty() ? "" : ": " + record.reason));
}

std::string human_summary(const RunReport& report) {
  if (report.plan.mutants.empty()) return check_summary(report);
  std::string text = fmt::format("\n{} mutants in {:.1f} s\n", report.plan.mutants.size(), report.seconds);
  Scores const scores = scores_of(report);
  text += sums(report, scores.names_laws) + score_lines(scores) + not_as_declared(report);
  for (const std::string& note : report.notes) text += "note: " + note + "\n";
  int const code = report.exit_code();
  text += fmt::format("{} (exit {})\n", ending(code, scores.names_laws), code);
  return gates::printable_block(text);
}

std::string check_summary(const RunReport& report) {
  if (report.plan.mutants.empty())
    return gates::printable_block(fmt::format("{} (exit {})\n", fmt::join(report.notes, "; "), report.exit_code()));
  std::string text = not_as_declared(report);
  for (const std::string& note : report.notes) text += "note: " + note + "\n";
  text += fmt::format("{} of {} mutants apply exactly once, {:.1f} s (exit {})\n", report.plan.mutants.size() - report.records.size(),
                      report.plan.mutants.size(), report.seconds, report.exit_code());
  return gates::printable_block(text);
}

}  // namespace redproof::mutants
