#include "mutants/driver/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <unordered_map>

#include "gates/runner/exit_code.h"
#include "gates/runner/network.h"
#include "gates/runner/printable.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/cache/toolchain.h"
#include "mutants/driver/find/compile_database.h"
#include "mutants/driver/find/parse.h"
#include "mutants/driver/lab/lab_folder.h"
#include "mutants/driver/lab/tree.h"
#include "mutants/driver/merge/part.h"
#include "mutants/driver/plan/environment.h"
#include "mutants/driver/plan/platform.h"
#include "mutants/driver/plant/diff.h"
#include "mutants/driver/plant/sha256.h"
#include "mutants/driver/prepared/prepared.h"
#include "mutants/driver/run/generated.h"
#include "mutants/driver/run/lab_run.h"
#include "mutants/driver/run/narrow.h"
#include "mutants/driver/run/output_folder.h"
#include "mutants/driver/run/prepare.h"
#include "mutants/driver/run/shared_verdicts.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

FindOptions find_options(const fs::path& root, const std::optional<fs::path>& database) {
  return {root, database, std::max(1u, std::thread::hardware_concurrency())};
}

// Of another tree it would tell nothing of this one, or what stands there.
void require_own(const fs::path& database, const fs::path& root, const char* remedy) {
  fs::path const foreign = CompileDatabase::read(database).foreign_source(root);
  if (!foreign.empty())
    throw gates::Refusal(fmt::format("{} is of another tree ({}); {}", database.string(), gates::printable(foreign.string()), remedy));
}

std::optional<fs::path> lab_database(const fs::path& tree, const LabConfig& lab, const BuildFirst& build_first) {
  if (lab.compile_commands.empty()) return std::nullopt;
  fs::path const database = tree / lab.compile_commands;
  if (!fs::exists(database)) build_first();
  if (!fs::exists(database))
    throw gates::Refusal(
        fmt::format("lab: neither configure nor build makes {}; CMAKE_EXPORT_COMPILE_COMMANDS=ON makes CMake write one, "
                    "`bear -- make` one of other builds; without it (no compile_commands) text alone is edited",
                    lab.compile_commands));
  require_own(database, tree, "configure or build of lab.json has to make it in the copy");
  return database;
}

std::set<std::string> compilers_of(const std::optional<fs::path>& database) {
  std::set<std::string> compilers;
  if (!database) return compilers;
  CompileDatabase const read = CompileDatabase::read(*database);
  for (const CompileCommand& command : read.commands())
    if (auto const compiler = compiler_of(command.words); compiler != command.words.end()) compilers.insert(*compiler);
  return compilers;
}

// What was cut short by the machine, and not decided by the mutant, is tried again.
bool may_be_reused(const Record& record, const std::string& planting) {
  bool const planted_so = planting == automatic || record.planting == planting || (planting == schemata && !record.planting_reason.empty());
  if (!planted_so) return false;
  return record.as_declared || (record.outcome != Outcome::timeout && record.outcome != Outcome::oom &&
                                record.outcome != Outcome::no_evidence && record.outcome != Outcome::unproved);
}

void write_diffs(const Plan& plan, OutputFolder& out) {
  for (const PlannedMutant& planned : plan.mutants) {
    std::string const diff = patch_of(planned.finding.files);
    if (!diff.empty()) out.write_diff(planned.mutant.id, diff);
  }
}

void sort_records(RunReport& report) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < report.plan.mutants.size(); ++i) places[report.plan.mutants[i].mutant.id] = i;
  std::sort(report.records.begin(), report.records.end(),
            [&](const Record& a, const Record& b) { return places.at(a.id) < places.at(b.id); });
}

// Neighbours share a file, so that one build restores it and plants the next.
void sort_by_file(std::vector<const PlannedMutant*>& todo) {
  std::stable_sort(todo.begin(), todo.end(), [](const PlannedMutant* a, const PlannedMutant* b) {
    return a->finding.files.front().path < b->finding.files.front().path;
  });
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void say_nothing_ran(const std::string& note, RunReport& report) {
  report.notes.push_back(note);
  report.exit_codes.push_back(gates::exit_no_evidence);
}

void empty_shard(const RunOptions& options, const Inputs& inputs, RunReport& report) {
  say_nothing_ran(
      fmt::format("shard {} holds none of {} mutants: nothing was shown", text_of(options.selection.shard), inputs.selected.size()),
      report);
}

// One finding for each of inputs.mutants, which is filled or narrowed by it: the operators' mutants, or the catalogue's.
std::vector<Finding> find_all(const RunOptions& options, const FindOptions& find, const std::vector<std::string>& copied, Inputs& inputs,
                              RunReport& report, const BuildFirst& build_first) {
  if (options.generate.empty()) {
    auto findings = find_copied(inputs.mutants, options.root, copied, find);
    if (std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return lacks_a_file(finding.broken); }) && build_first())
      findings = find_copied(inputs.mutants, options.root, copied, find);
    narrow_by_diff(options, find, inputs, findings);
    return findings;
  }
  options.on_note("generating mutants");
  std::vector<std::string> broken;
  auto findings = generate_inputs(options, find, inputs, report.notes, broken, build_first);
  for (const std::string& why : broken) say_nothing_ran(why, report);
  options.on_note(fmt::format("{} mutants", inputs.mutants.size()));
  return findings;
}

// Nothing is left to find before anything is parsed; which mutants operators make is known only then.
bool is_empty_set(const RunOptions& options, const Inputs& inputs) { return options.generate.empty() && inputs.mutants.empty(); }

// What is known of why stays in the report.
RunReport empty_report(const RunOptions& options, const Inputs& inputs, RunReport report) {
  report.plan.root = options.root;
  if (inputs.selected.empty())
    say_nothing_ran("no mutant is selected: nothing was shown", report);
  else
    empty_shard(options, inputs, report);
  return report;
}

class Run {
 public:
  Run(const RunOptions& options, Inputs inputs) : options_(options), inputs_(std::move(inputs)) {}

  RunReport operator()() {
    if (is_empty_set(options_, inputs_) && inputs_.selected.empty()) throw EmptySet{};
    check_output_place(options_.out, options_.root);
    auto const files = without_cache(tree_files(options_.root, options_.out), options_);
    for (const std::string& submodule : empty_submodules(options_.root))
      options_.on_note(fmt::format("{0}: this submodule is not checked out: git submodule update --init {0}", submodule));
    SharedVerdicts shared(options_, inputs_, files);
    LabRun lab(options_, inputs_, files);
    options_.on_note("copying the tree to a lab of its own");
    fs::path const tree = lab.open_first();
    std::string const tree_hash = tree_sha256(tree, files, ".mutant.json");
    auto const build_first = [&] { return lab.build_before_parsing(report_); };
    auto const database = lab_database(tree, inputs_.lab, build_first);
    FindOptions const find = find_options(tree, database);
    auto findings = find_all(options_, find, files, inputs_, report_, build_first);
    if (inputs_.selected.empty()) throw EmptySet{};
    report_.plan = make_plan(options_, inputs_.mutants, std::move(findings), tree_hash);
    bool const resume = options_.resume && options_.planting != both && !options_.prepare;
    auto const earlier = resume ? earlier_records(options_.out) : Records{};
    OutputFolder out(options_.out);
    write_begin(out);
    out.write_document("environment.json", environment_json(compilers_of(database), parser_version()));
    write_diffs(report_.plan, out);
    auto todo = settle(earlier, out);
    std::size_t const codes = report_.exit_codes.size();
    if (!todo.empty()) lab.run(todo, shared, out, report_);
    if (report_.exit_codes.size() == codes) shared.keep(report_);
    shared.tell(report_);
    if (options_.prepare && report_.exit_codes.empty())
      report_.notes.push_back(fmt::format("{} of {} mutants are prepared: mutate --prepared {}", report_.prepared,
                                          report_.plan.mutants.size(), options_.out.string()));
    else
      tell_what_is_left();
    return finish(out);
  }

  // `part` is narrowed to the mutants of this run. What was decided where it was prepared needs no run.
  RunReport operator()(const Part& part, const Prepared& prepared) {
    if (inputs_.mutants.empty() && inputs_.selected.empty()) throw EmptySet{};
    check_output_place(options_.out, part.folder);
    LabRun lab(options_, inputs_, all_files(options_.root));
    report_.plan = part.plan;
    Records earlier = options_.resume ? earlier_records(options_.out) : Records{};
    for (const Record& record : part.records) earlier[record.key] = record;
    OutputFolder out(options_.out);
    write_begin(out);
    out.write_document("environment.json", environment_json({}, {}));
    copy_kept(part.folder, out.path());
    auto todo = settle(earlier, out);
    std::erase_if(todo, [&](const PlannedMutant* planned) {
      if (prepared.numbering.mutants.contains(planned->mutant.id)) return false;
      // Of a build of its own: there is no compiler here, so what could not be judged there stays so.
      if (auto const found = earlier.find(planned->key); found != earlier.end()) take(found->second, *planned, out);
      return true;
    });
    if (!todo.empty() && !gates::can_leave_network()) report_.notes.emplace_back(network_not_shut);
    if (!todo.empty()) lab.run_prepared(prepared, todo, out, report_);
    tell_what_is_left();
    return finish(out);
  }

  // What is known after an interrupt: every mutant counts, as an outcome or as not run.
  RunReport cut_short() {
    if (report_.plan.mutants.empty()) report_.plan = make_plan(options_, inputs_.mutants, std::vector<Finding>(inputs_.mutants.size()), {});
    report_.exit_codes.push_back(gates::exit_interrupted);
    sort_records(report_);
    return std::move(report_);
  }

  struct EmptySet {};
  RunReport empty() { return empty_report(options_, inputs_, std::move(report_)); }

 private:
  using Records = std::map<std::string, Record>;  // by key

  void write_begin(OutputFolder& out) {
    out.write_plan(to_json(report_.plan));
    out.write_document("selection.json", to_json(ShardRecord{inputs_.catalog_sha256, inputs_.selected, options_.selection.shard}));
  }

  RunReport finish(OutputFolder& out) {
    sort_records(report_);
    write_end(out);
    if (inputs_.mutants.empty()) empty_shard(options_, inputs_, report_);
    return std::move(report_);
  }

  void take(Record record, const PlannedMutant& planned, OutputFolder& out) {
    out.append(record);
    options_.on_record(record, planned);
    report_.records.push_back(std::move(record));
  }

  // Records what needs no run; what is left has to be run.
  std::vector<const PlannedMutant*> settle(const Records& earlier, OutputFolder& out) {
    std::vector<const PlannedMutant*> todo;
    for (const PlannedMutant& planned : report_.plan.mutants) {
      auto record = record_without_run(planned);
      auto const found = earlier.find(planned.key);
      if (!record && found != earlier.end() && may_be_reused(found->second, options_.planting)) {
        record = found->second;
        record->reused = true;
        out.keep_logs(record->id);
      }
      if (!record) {
        todo.push_back(&planned);
        continue;
      }
      take(std::move(*record), planned, out);
    }
    sort_by_file(todo);
    return todo;
  }

  // What is known is reported even where this cannot be written; why is said unless a refusal was told already.
  void write_end(OutputFolder& out) {
    auto& codes = report_.exit_codes;
    try {
      out.write_document("end.json", to_json(EndRecord{codes, report_.notes, seconds_since(start_)}));
    } catch (const gates::Refusal& refusal) {
      if (std::find(codes.begin(), codes.end(), gates::exit_refused) != codes.end()) return;
      codes.push_back(gates::exit_refused);
      report_.notes.push_back(refusal.what());
      options_.on_note(refusal.what());
    }
  }

  // Mutants that were never started prove nothing, and the exit code says so.
  void tell_what_is_left() {
    std::size_t const left = report_.plan.mutants.size() - report_.records.size();
    if (left == 0 || !report_.exit_codes.empty()) return;
    report_.notes.push_back(fmt::format("--max-time: {} of {} mutants were not started", left, report_.plan.mutants.size()));
    report_.exit_codes.push_back(gates::exit_no_evidence);
  }

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const RunOptions& options_;
  Inputs inputs_;
  RunReport report_;
};

// Nothing is built here.
void add_remedy(std::string& broken) {
  if (lacks_a_file(broken)) broken += "; where the build makes that file, build the project first";
}

// Where the user's own tree was never configured, a private copy is.
std::vector<Finding> find_in_user_tree(const RunOptions& options, Inputs& inputs, RunReport& report) {
  auto const database = compile_commands_of(options, inputs.lab);
  auto const files = tree_files(options.root, options.out);
  if (database || inputs.lab.compile_commands.empty()) {
    if (database) require_own(*database, options.root, "--compile-commands names another");
    return find_all(options, find_options(options.root, database), files, inputs, report, [] { return false; });
  }
  options.on_note("no compile database below build/: configuring a private copy of the tree");
  LabRun lab(options, inputs, files);
  fs::path const tree = lab.open_first();
  auto const build_first = [&] { return lab.build_before_parsing(report); };
  return find_all(options, find_options(tree, lab_database(tree, inputs.lab, build_first)), files, inputs, report, build_first);
}

}  // namespace

int RunReport::exit_code() const {
  int code = gates::loudest(exit_codes);
  for (const Record& record : records) code = gates::louder(code, record.exit_code());
  return code;
}

namespace {

RunReport timed(Run& runner, const std::function<RunReport()>& part) {
  auto const start = std::chrono::steady_clock::now();
  RunReport report;
  try {
    report = part();
  } catch (const Run::EmptySet&) {
    report = runner.empty();
  } catch (const Interrupted&) {
    report = runner.cut_short();
  }
  report.seconds = seconds_since(start);
  return report;
}

// The mutants of the folder that `options` select, in its plan too, each with a key of its own for this machine.
Inputs narrow_prepared(const RunOptions& options, const Prepared& prepared, Part& part) {
  Inputs inputs;
  inputs.lab = prepared.lab;
  inputs.gates = gates::load_gates(options.root / inputs.lab.gates);
  inputs.catalog_sha256 = part.shard.catalog_sha256;
  std::vector<Mutant> all;
  for (const PlannedMutant& planned : part.plan.mutants) all.push_back(planned.mutant);
  narrow_by_name(options, all, inputs);
  std::erase_if(part.plan.mutants, [&](const PlannedMutant& planned) {
    return std::none_of(inputs.mutants.begin(), inputs.mutants.end(), [&](const Mutant& one) { return one.id == planned.mutant.id; });
  });
  std::string const here = platform();
  auto const key_here = [&](const std::string& key) { return sha256(key + '\n' + here); };
  for (PlannedMutant& planned : part.plan.mutants) planned.key = key_here(planned.key);
  for (Record& record : part.records) record.key = key_here(record.key);
  return inputs;
}

}  // namespace

RunReport run(const RunOptions& options) {
  Run runner(options, load_inputs(options));
  return timed(runner, [&] { return runner(); });
}

RunReport run_prepared(const RunOptions& options, const fs::path& folder) {
  Prepared const prepared = read_prepared(folder);
  Part part = read_part(folder);
  if (!part.end.exit_codes.empty())
    throw gates::Refusal(folder.string() + ": was not prepared to the end: its run ended with exit code " +
                         std::to_string(gates::loudest(part.end.exit_codes)));
  RunOptions here = options;
  here.root = folder / prepared_tree;
  here.seed = part.plan.seed;
  here.timeout_factor = part.plan.timeout_factor;
  Inputs inputs = narrow_prepared(here, prepared, part);
  Run runner(here, std::move(inputs));
  return timed(runner, [&] { return runner(part, prepared); });
}

RunReport check(const RunOptions& options) {
  auto const start = std::chrono::steady_clock::now();
  Inputs inputs = load_inputs(options);
  if (is_empty_set(options, inputs)) return empty_report(options, inputs, {});
  RunReport report;
  auto findings = find_in_user_tree(options, inputs, report);
  for (Finding& finding : findings) add_remedy(finding.broken);
  for (std::string& note : report.notes) add_remedy(note);
  if (inputs.mutants.empty()) return empty_report(options, inputs, std::move(report));
  report.plan = make_plan(options, inputs.mutants, std::move(findings), {});
  for (const PlannedMutant& planned : report.plan.mutants) {
    auto record = record_without_run(planned);
    if (record && record->outcome != Outcome::suppressed) report.records.push_back(std::move(*record));
  }
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace redproof::mutants
