#include "mutants/driver/cache/verdict_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gates/runner/interrupt.h"
#include "gates/runner/safe_path.h"
#include "mutants/driver/cache/code_text.h"
#include "mutants/driver/cache/linked_files.h"
#include "mutants/driver/find/source_file.h"
#include "mutants/driver/interrupted.h"
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

// Whether inputs lie behind it.
bool leads_to_input(const std::string& link, const std::vector<std::string>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const std::string& input) { return gates::is_at_or_below(input, link); });
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
    : inputs_(std::move(inputs)), worker_(worker), pristine_(pristine), closures_(worker), commands_(worker) {
  std::vector<std::string> objects;
  read_tree(objects);
  if (!inputs_.lab.compile_commands.empty()) {
    database_ = CompileDatabase::read(worker.tree() / inputs_.lab.compile_commands);
    graph_ = std::make_unique<IncludeGraph>(worker.tree(), sources_, *database_);
  }
  run_ = text_of_run(objects);
}

std::string VerdictKeys::why_not() const { return unread_.empty() ? commands_.why_not() : unread_ + " cannot be read"; }

void VerdictKeys::read_tree(std::vector<std::string>& objects) {
  fs::path const& tree = worker_.tree();
  sources_ = inputs_.files;
  std::error_code failed, none;
  auto entry = fs::recursive_directory_iterator(tree, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    if (gates::interrupted()) throw Interrupted{};
    if (entry->path().filename() == ".git") entry.disable_recursion_pending();
    std::string const path = entry->path().lexically_relative(tree).generic_string();
    if (!entry->is_regular_file(none) || std::binary_search(inputs_.files.begin(), inputs_.files.end(), path)) continue;
    if (is_object(path)) objects.push_back(path);
    if (is_host_source(path)) sources_.push_back(path);
  }
  if (failed) unread_ = "the built tree";
  std::sort(objects.begin(), objects.end());
}

std::string VerdictKeys::text_of_run(const std::vector<std::string>& objects) {
  const Plan& plan = inputs_.plan;
  std::string text = fmt::format("redproof.verdict.1\n{}\njudge {}\nplatform {}\nseed {}\nlimits {}\nmatrix {}\n", tool_version,
                                 inputs_.judge, plan.platform, plan.seed, plan.timeout_factor, plan.matrix);
  text += fmt::format("lab.json {}\n", inputs_.sha256.at(inputs_.lab_file.string()));
  text += text_of_programs();
  text += text_of_gates();
  for (const std::string& object : objects) text += fmt::format("object {} {}\n", object, sha256_of_program(worker_.tree() / object));
  std::vector<std::string> built_from;
  for (const std::string& file : inputs_.files)
    if (!is_host_source(file) && !is_document(file)) built_from.push_back(file);
  text += fmt::format("built from {}\n", tree_sha256(worker_.tree(), built_from, ".mutant.json"));
  text += text_of_inputs();
  for (const std::string& link : inputs_.lab.links) text += fmt::format("link {}\n{}", link, linked_files(plan.root / link, Told::by_time));
  return text;
}

// A link is copied as the name that it holds: what it leads to decides.
std::string VerdictKeys::text_of_links(const std::vector<std::string>& files) const {
  fs::path const tree = fs::weakly_canonical(worker_.tree());
  std::string text;
  for (const std::string& file : files) {
    std::error_code failed;
    fs::path const path = worker_.tree() / file;
    if (!fs::is_symlink(path, failed)) continue;
    fs::path const target = fs::canonical(path, failed);
    bool const is_small = !failed && (gates::is_at_or_below(target, tree) || fs::is_regular_file(target, failed));
    text += fmt::format("leads to {}\n{}", file, linked_files(path, is_small ? Told::by_content : Told::by_time));
  }
  return text;
}

std::string VerdictKeys::text_of_inputs() {
  if (!inputs_.lab.inputs) return "inputs " + whole_tree();
  std::vector<std::string> read_by_gates, links;
  for (const std::string& file : inputs_.files) {
    if (is_input(file, *inputs_.lab.inputs)) read_by_gates.push_back(file);
    if (is_input(file, *inputs_.lab.inputs) || leads_to_input(file, *inputs_.lab.inputs)) links.push_back(file);
  }
  return fmt::format("inputs {}\n{}", tree_sha256(worker_.tree(), read_by_gates, {}), text_of_links(links));
}

std::string VerdictKeys::text_of_programs() {
  std::string text;
  for (const auto& [program, hash] : worker_.program_hashes())
    text += fmt::format("program {} {}\n{}", program, hash, commands_.libraries_of(fs::weakly_canonical(worker_.tree() / program)));
  return text;
}

std::string VerdictKeys::text_of_gates() {
  std::string text;
  for (const gates::Gate& gate : inputs_.gates) {
    text += fmt::format("gate {} {}\n", gate.id, inputs_.sha256.at(gate.file.string()));
    text += commands_.of(gate.foreign() ? gate.argv : std::vector{(fs::path(inputs_.lab.bin) / gate.program).string()});
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

const std::string& VerdictKeys::whole_tree() {
  if (whole_tree_.empty()) whole_tree_ = fmt::format("tree {}\n{}", inputs_.plan.tree_sha256, text_of_links(inputs_.files));
  return whole_tree_;
}

// Of a source that nothing compiles, of what is no C++, and where includes may change with it, it is the whole tree.
std::string VerdictKeys::text_of_sources(const MutatedFile& file) {
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

std::string VerdictKeys::of(const PlannedMutant& planned, const std::string& planting) {
  std::string& hash = hashes_[planned.mutant.id];
  if (hash.empty()) hash = sha256(text_of(planned));
  return sha256(fmt::format("planting {} {}\n", planting, hash));
}

std::string VerdictKeys::text_of(const PlannedMutant& planned) {
  const Mutant& mutant = planned.mutant;
  std::string text = run_ + fmt::format("mutant {} {} {} {}\ntargets {}\n", mutant.id, mutant.file_sha256, mutant.generated,
                                        planned.every_gate, fmt::join(mutant.targets, " "));
  for (const MutatedFile& file : planned.finding.files) text += text_of_change(file) + text_of_sources(file);
  // A witness that is a command may read whatever it likes.
  if (!mutant.witness.argv.empty()) text += whole_tree() + commands_.of(mutant.witness.argv);
  return text + text_of_evidence(planned);
}

}  // namespace redproof::mutants
