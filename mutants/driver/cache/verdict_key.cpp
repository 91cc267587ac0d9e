#include "mutants/driver/cache/verdict_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gates/runner/safe_path.h"
#include "mutants/driver/cache/code_text.h"
#include "mutants/driver/cache/toolchain.h"
#include "mutants/driver/find/source_file.h"
#include "mutants/driver/judge/repeat.h"
#include "mutants/driver/lab/tree.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

bool ends_in(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
}

// What is linked into programs, or loaded by them.
bool is_object(std::string_view path) {
  return ends_in(path, {".o", ".obj", ".lo", ".a", ".so"}) || path.find(".so.") != std::string_view::npos;
}

bool is_document(std::string_view path) { return ends_in(path, {".md", ".rst", ".adoc"}); }

bool is_input(const std::string& file, const std::vector<std::string>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const std::string& input) { return gates::is_at_or_below(file, input); });
}

// Linked folders are large: what changes a file there changes its time.
std::string text_of_link(const fs::path& link) {
  std::error_code failed;
  std::vector<std::string> lines;
  auto const add = [&](const fs::path& file) {
    lines.push_back(fmt::format("{} {} {}\n", file.lexically_relative(link).generic_string(), fs::file_size(file, failed),
                                fs::last_write_time(file, failed).time_since_epoch().count()));
  };
  if (fs::is_regular_file(link, failed)) add(link);
  if (fs::is_directory(link, failed))
    for (const auto& entry : fs::recursive_directory_iterator(link, fs::directory_options::follow_directory_symlink, failed))
      if (entry.is_regular_file(failed)) add(entry.path());
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

bool changes_only_code(const MutatedFile& file) {
  if (!is_host_source(file.path)) return false;
  std::string const before = code_text(file.before), after = code_text(file.after);
  return directives_of(before) == directives_of(after) && !reads_otherwise(after);
}

std::string text_of_change(const MutatedFile& file) {
  if (!is_host_source(file.path)) return fmt::format("changes {} {} {}\n", file.path, file.before_sha256, file.after_sha256);
  return fmt::format("changes {} {} {}\n", file.path, sha256(code_text(file.before)), sha256(code_text(file.after)));
}

}  // namespace

VerdictKeys::VerdictKeys(KeyInputs inputs, Worker& worker, const GateResults& pristine)
    : inputs_(std::move(inputs)), worker_(worker), pristine_(pristine), closures_(worker) {
  std::vector<std::string> objects;
  read_tree(objects);
  if (!inputs_.lab.compile_commands.empty()) {
    database_ = CompileDatabase::read(worker.tree() / inputs_.lab.compile_commands);
    graph_ = std::make_unique<IncludeGraph>(worker.tree(), sources_, *database_);
  }
  run_ = text_of_run(objects);
}

void VerdictKeys::read_tree(std::vector<std::string>& objects) {
  fs::path const& tree = worker_.tree();
  sources_ = inputs_.files;
  for (auto entry = fs::recursive_directory_iterator(tree); entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->path().filename() == ".git") entry.disable_recursion_pending();
    std::string const path = entry->path().lexically_relative(tree).generic_string();
    if (!entry->is_regular_file() || std::binary_search(inputs_.files.begin(), inputs_.files.end(), path)) continue;
    if (is_object(path)) objects.push_back(path);
    if (is_host_source(path)) sources_.push_back(path);
  }
  std::sort(objects.begin(), objects.end());
}

std::string VerdictKeys::text_of_run(const std::vector<std::string>& objects) const {
  const Plan& plan = inputs_.plan;
  std::string text = fmt::format("redproof.verdict.1\n{}\njudge {}\nplatform {}\nplanting {}\nseed {}\nlimits {}\nmatrix {}\n",
                                 tool_version, inputs_.judge, plan.platform, plan.planting, plan.seed, plan.timeout_factor, plan.matrix);
  text += fmt::format("lab.json {}\n", sha256_of_file(inputs_.lab_file));
  text += text_of_programs() + text_of_gates();
  for (const std::string& object : objects) text += fmt::format("object {} {}\n", object, sha256_of_program(worker_.tree() / object));
  std::vector<std::string> built_from, read_by_gates;
  for (const std::string& file : inputs_.files) {
    if (!is_host_source(file) && !is_document(file)) built_from.push_back(file);
    if (inputs_.lab.inputs && is_input(file, *inputs_.lab.inputs)) read_by_gates.push_back(file);
  }
  text += fmt::format("built from {}\n", tree_sha256(worker_.tree(), built_from, ".mutant.json"));
  text += fmt::format("inputs {}\n", inputs_.lab.inputs ? tree_sha256(worker_.tree(), read_by_gates, {}) : plan.tree_sha256);
  for (const std::string& link : inputs_.lab.links) text += fmt::format("link {}\n{}", link, text_of_link(plan.root / link));
  return text;
}

std::string VerdictKeys::text_of_programs() const {
  std::string text;
  for (const auto& [program, hash] : worker_.program_hashes()) {
    text += fmt::format("program {} {}\n", program, hash);
    auto const libraries = worker_.run_command({"ldd", (worker_.tree() / program).string()});
    if (libraries.ended_by_itself() && libraries.exit_code == 0)
      text += library_lines(libraries.output, fs::weakly_canonical(worker_.tree()));
  }
  return text;
}

std::string VerdictKeys::text_of_gates() const {
  std::string text;
  for (const gates::Gate& gate : inputs_.gates) {
    text += fmt::format("gate {} {}\n", gate.id, sha256_of_file(gate.file));
    // What stands in the tree is held with it.
    if (gate.foreign() && gate.argv.front().find('/') == std::string::npos) text += program_text(gate.argv.front());
  }
  return text;
}

void VerdictKeys::make(const std::vector<const PlannedMutant*>& todo, unsigned jobs) {
  std::vector<const CompileCommand*> all;
  for (const PlannedMutant* planned : todo)
    for (const MutatedFile& file : planned->finding.files) {
      if (!graph_ || units_.contains(file.path) || !changes_only_code(file)) continue;
      auto const units = units_[file.path] = graph_->units_of(file.path);
      if (units) all.insert(all.end(), units->begin(), units->end());
    }
  closures_.make(all, jobs);
}

std::string VerdictKeys::whole_tree() const { return fmt::format("tree {}\n", inputs_.plan.tree_sha256); }

// Of a source that nothing compiles, of what is no C++, and where includes may change with it, it is the whole tree.
std::string VerdictKeys::text_of_sources(const MutatedFile& file) const {
  auto const units = units_.find(file.path);
  if (units == units_.end() || !changes_only_code(file) || !units->second || units->second->empty()) return whole_tree();
  std::vector<std::string> lines;
  for (const CompileCommand* unit : *units->second) {
    auto const& closure = closures_.of(unit);
    if (!closure) return whole_tree();
    lines.push_back(fmt::format("unit {}\n", *closure));
  }
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

std::string VerdictKeys::text_of_evidence(const PlannedMutant& planned) const {
  std::vector<std::string> const named = planned.mutant.gates();
  bool const all = planned.mutant.generated || planned.every_gate;
  std::string text;
  for (const auto& [id, result] : pristine_)
    if (all || std::find(named.begin(), named.end(), id) != named.end())
      text += evidence_text(result) + (result.process.landlock_applied ? "confined\n" : "not confined\n") +
              (result.process.network_shut ? "no network\n" : "network\n");
  return text;
}

std::string VerdictKeys::of(const PlannedMutant& planned) const {
  const Mutant& mutant = planned.mutant;
  std::string text = run_ + fmt::format("mutant {} {} {} {}\ntargets {}\n", mutant.id, mutant.file_sha256, mutant.generated,
                                        planned.every_gate, fmt::join(mutant.targets, " "));
  for (const MutatedFile& file : planned.finding.files) text += text_of_change(file) + text_of_sources(file);
  // A witness that is a command may read whatever it likes.
  if (!mutant.witness.argv.empty()) text += whole_tree() + program_text(mutant.witness.argv.front());
  return sha256(text + text_of_evidence(planned));
}

}  // namespace redproof::mutants
