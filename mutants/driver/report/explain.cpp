#include "mutants/driver/report/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "gates/runner/printable.h"
#include "mutants/driver/plant/diff.h"
#include "mutants/driver/report/report.h"

namespace redproof::mutants {
namespace {

const gates::Gate* find_gate(const Explained& explained, const std::string& id) {
  auto const found = std::find_if(explained.gates.begin(), explained.gates.end(), [&](const gates::Gate& gate) { return gate.id == id; });
  return found == explained.gates.end() ? nullptr : &*found;
}

std::string claim_of(const Explained& explained, const std::string& id) {
  const gates::Gate* const gate = find_gate(explained, id);
  return gate == nullptr ? std::string() : "    claims: " + gate->claim + "\n";
}

std::string where(const Explained& explained) {
  const Finding& finding = explained.planned.finding;
  if (!finding.stale.empty()) return "  stale: " + finding.stale + "\n";
  if (!finding.broken.empty()) return "  cannot be found: " + finding.broken + "\n";
  return patch_of(finding.files);
}

std::string who(const Explained& explained) {
  const Mutant& mutant = explained.planned.mutant;
  std::string text;
  std::string const how = mutant.expects == Expectation::law ? "red" : fmt::format("end in {}", word(mutant.expects));
  for (const Red& red : mutant.reds)
    text += fmt::format("  gate {} must {}{}{}{}\n{}", red.gate, how == "red" ? "go red" : how, red.law.empty() ? "" : " in law ", red.law,
                        red.message.empty() ? "" : " and print " + red.message, claim_of(explained, red.gate));
  if (!mutant.build_message.empty()) text += fmt::format("  the build must refuse it: {}\n", mutant.build_message);
  if (!mutant.keeps_green.empty()) text += fmt::format("  must stay green: {}\n", fmt::join(mutant.keeps_green, ", "));
  if (!mutant.witness.gate.empty()) text += fmt::format("  equivalent, with gate {} as witness\n", mutant.witness.gate);
  if (!mutant.witness.argv.empty()) text += fmt::format("  equivalent, with a witness: {}\n", quoted_command(mutant.witness.argv));
  if (!mutant.suppressed.empty()) text += fmt::format("  not run: {}\n", mutant.suppressed);
  return text.empty() ? "  any gate\n" : text;
}

std::string what_happened(const Explained& explained) {
  if (!explained.record) return fmt::format("  nothing yet: {} holds no outcome of it\n", explained.run);
  std::string text = explained.same_inputs ? "" : "  (of a run on other inputs: the mutant or its sources changed since)\n";
  // The diff is told above.
  PlannedMutant without_diff = explained.planned;
  without_diff.finding.files.clear();
  std::string const detail = record_detail(*explained.record, without_diff);
  return text + detail.substr(detail.find('\n') + 1);
}

std::string gate_command(const Explained& explained, const std::string& id) {
  std::vector<std::string> words{"gates", "run", id, "--seed", std::to_string(explained.seed)};
  if (!explained.lab.bin.empty()) words.insert(words.end(), {"--bin", explained.lab.bin});
  return quoted_command(words);
}

// Of a generated mutant, which names none: those that saw it, or those that ran on it, or all.
std::vector<std::string> gates_by_hand(const Explained& explained) {
  if (!explained.planned.mutant.generated) return explained.planned.mutant.gates();
  std::vector<std::string> red, ran, all;
  for (const gates::Gate& gate : explained.gates) all.push_back(gate.id);
  if (!explained.record) return all;
  for (const GateRecord& gate : explained.record->gates) {
    ran.push_back(gate.gate);
    if (gate.verdict == "red") red.push_back(gate.gate);
  }
  return !red.empty() ? red : !ran.empty() ? ran : all;
}

std::string by_hand(const Explained& explained) {
  const Mutant& mutant = explained.planned.mutant;
  std::string const patch = patch_name(mutant.id);
  std::vector<std::string> apply{"mutate", "apply", mutant.id};
  apply.insert(apply.end(), explained.project.begin(), explained.project.end());
  std::string text = "  " + quoted_command(apply) + "\n";
  text += "  git apply " + patch + "   # in a copy of the tree; or: patch -p1 < " + patch + "\n";
  if (!explained.lab.configure.empty()) text += "  " + quoted_command(explained.lab.configure) + "\n";
  text += "  " + quoted_command(with_targets(explained.lab.build, mutant.targets)) + "\n";
  for (const std::string& gate : gates_by_hand(explained)) text += "  " + gate_command(explained, gate) + "\n";
  if (!mutant.witness.argv.empty()) text += "  " + quoted_command(mutant.witness.argv) + "\n";
  return text + "  git apply -R " + patch + "\n";
}

}  // namespace

std::string quoted_command(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) {
    bool const plain =
        !word.empty() &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%") == std::string::npos;
    std::string quoted = "'";
    for (char const c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += (command.empty() ? "" : " ") + (plain ? word : quoted + "'");
  }
  return command;
}

std::string patch_name(const std::string& id) {
  std::string name = id + ".patch";
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

std::string explain(const Explained& explained) {
  const Mutant& mutant = explained.planned.mutant;
  std::string text = fmt::format("{}: {}\n", mutant.id, mutant.defect);
  if (!mutant.origin.empty()) text += fmt::format("  from {}\n", mutant.origin);
  text += "\nwhat it changes\n" + where(explained);
  text += "\nwho is to see it\n" + who(explained);
  text += "\nwhat happened\n" + what_happened(explained);
  if (!explained.planned.finding.files.empty()) text += "\nby hand\n" + by_hand(explained);
  return gates::printable_block(text);
}

}  // namespace redproof::mutants
