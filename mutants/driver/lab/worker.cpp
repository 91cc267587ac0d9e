#include "mutants/driver/lab/worker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <sstream>

#include "gates/runner/disk_space.h"
#include "gates/runner/interrupt.h"
#include "gates/runner/refusal.h"
#include "mutants/driver/lab/disk_error.h"
#include "mutants/driver/lab/tree.h"
#include "mutants/driver/plant/sha256.h"

namespace redproof::mutants {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_file_bytes = 4ull << 30;
constexpr std::uint64_t most_open_files = 4096;
constexpr const char* absent = "absent";
constexpr const char* lab_variable = "REDPROOF_LAB";

// A correct run takes its pristine time; twenty times that, and never under ten seconds, leaves room for a loaded machine.
std::chrono::seconds limit_of(const gates::Gate& gate, const GateResults& pristine) {
  auto const found = pristine.find(gate.id);
  if (found == pristine.end()) return gate.timeout;
  auto const seconds = static_cast<long>(std::ceil(std::max(10.0, 20 * found->second.seconds)));
  return std::min(gate.timeout, std::chrono::seconds(seconds));
}

bool has_home() {
  const char* const home = std::getenv("HOME");
  return home != nullptr && access(home, W_OK | X_OK) == 0;
}

void throw_if(bool interrupted) {
  if (interrupted) throw Interrupted{};
}

}  // namespace

Worker::Worker(const LabConfig& config, fs::path home, WorkerOptions options)
    : config_(config), home_(std::move(home)), tree_(home_ / "tree"), options_(options), planted_(tree_) {}

void Worker::copy(const fs::path& root, const std::vector<std::string>& files) {
  fs::create_directories(tree_);
  fs::create_directories(home_ / "tmp");
  copy_tree(root, files, tree_);
  throw_if(gates::interrupted());
  for (const std::string& link : config_.links) {
    if (!fs::exists(root / link) || fs::exists(tree_ / link)) continue;
    fs::create_directories((tree_ / link).parent_path());
    fs::create_symlink(root / link, tree_ / link);
  }
}

template <typename Run>
auto Worker::on_machine(Patience patience, const Run& run) const {
  if (patience > 1) {
    std::unique_lock const alone(*options_.machine);
    return run();
  }
  std::shared_lock const beside_others(*options_.machine);
  return run();
}

BuildRun Worker::run_build_command(const std::vector<std::string>& command, Patience patience) {
  gates::ProcessSpec spec;
  spec.argv = command;
  spec.cwd = tree_;
  spec.output_limit_bytes = 8u << 20;
  spec.timeout = std::chrono::milliseconds(static_cast<long>(1000 * patience * build_limit_seconds_));
  // Compilers' and ninja's coloured output would hide the message that a mutant may promise.
  spec.set_env = {{"CMAKE_BUILD_PARALLEL_LEVEL", std::to_string(options_.build_jobs)}, {"LC_ALL", "C"}, {"TERM", "dumb"}};
  // ccache keeps its files below HOME, and fails where it cannot.
  if (!has_home() && std::getenv("CCACHE_DIR") == nullptr)
    spec.set_env.emplace_back("CCACHE_DIR", (home_.parent_path() / "ccache").string());
  auto const process = on_machine(patience, [&] { return gates::run_process(spec); });
  throw_if(process.interrupted);
  if (!process.start_error.empty()) throw gates::Refusal(fmt::format("lab: {}: {}", command.front(), process.start_error));
  if (process.exit_code != 0 && speaks_of_a_full_disk(process.output)) throw gates::Refusal(gates::no_space_in(home_, lab_variable));
  if (process.signal == SIGXFSZ || (process.exit_code != 0 && speaks_of_a_size_limit(process.output)))
    throw gates::Refusal(fmt::format("lab: {}: {}", command.front(), size_limit_advice));
  return {process.signal != 0 ? 128 + process.signal : process.exit_code, process.timed_out, process.wall_seconds, process.output,
          patience * build_limit_seconds_};
}

BuildRun Worker::configure() {
  configured_ = true;
  if (config_.configure.empty()) return {0, false, 0, {}, 0};
  return run_build_command(config_.configure);
}

BuildRun Worker::build(const std::vector<std::string>& targets, Patience patience) { return build(targets, {}, patience); }

BuildRun Worker::build_all(const std::vector<std::string>& targets) { return build(targets, config_.keep_going, 1); }

BuildRun Worker::build(const std::vector<std::string>& targets, const std::vector<std::string>& more, Patience patience) {
  unsettled_.insert(targets.begin(), targets.end());
  auto command = with_targets(config_.build, {unsettled_.begin(), unsettled_.end()});
  command.insert(command.end(), more.begin(), more.end());
  BuildRun const run = run_build_command(command, patience);
  // What was just built holds the present mutant until it is built without one.
  if (run.ok() && !planted_.is_planted()) unsettled_.clear();
  return run;
}

GateResults Worker::run_gates(const std::vector<gates::Gate>& gates, const GateResults& pristine, const GateSetting& setting) const {
  fs::path const writable = setting.writable.empty() ? home_ : setting.writable;
  std::vector<gates::Gate> limited = gates;
  for (gates::Gate& gate : limited) gate.timeout = limit_of(gate, pristine);
  gates::RunOptions run;
  run.root = tree_;
  run.bin = tree_ / config_.bin;
  run.seed = options_.seed;
  run.writable_roots = {writable};
  run.timeout_factor = options_.timeout_factor * setting.patience;
  run.memory_limit_bytes = options_.memory_limit_bytes;
  run.file_size_limit_bytes = most_file_bytes;
  run.open_files_limit = most_open_files;
  run.own_network = true;
  run.set_env = setting.set_env;
  run.scratch = writable / "tmp";
  run.kept = setting.scratch;
  GateResults results;
  auto ended = on_machine(setting.patience, [&] { return gates::run_gates(limited, run, options_.gate_jobs, {}); });
  for (gates::GateResult& result : ended) {
    throw_if(result.process.interrupted);
    results[result.id] = std::move(result);
  }
  throw_if(results.size() != gates.size());
  bool const all_green =
      std::all_of(results.begin(), results.end(), [](const auto& entry) { return gates::is_green(entry.second.verdict); });
  if (!all_green && gates::is_full(writable)) throw gates::Refusal(gates::no_space_in(writable, lab_variable));
  return results;
}

void Worker::need_disk() const {
  if (gates::is_full(home_)) throw gates::Refusal(gates::no_space_in(home_, lab_variable));
}

std::vector<std::string> Worker::missing_programs() const {
  std::vector<std::string> missing;
  for (const auto& [program, hash] : program_hashes())
    if (hash == absent) missing.push_back(program);
  return missing;
}

gates::ProcessResult Worker::run_command(const std::vector<std::string>& argv, Patience patience) {
  gates::ProcessSpec spec;
  spec.argv = argv;
  spec.cwd = tree_;
  spec.timeout = std::chrono::milliseconds(static_cast<long>(1000 * patience * command_limit_seconds()));
  spec.memory_limit_bytes = options_.memory_limit_bytes;
  spec.file_size_limit_bytes = most_file_bytes;
  spec.open_files_limit = most_open_files;
  spec.own_network = true;
  spec.writable_roots = {home_};
  spec.set_env = {{"TMPDIR", (home_ / "tmp").string()}, {"REDPROOF_BIN", (tree_ / config_.bin).string()}};
  auto process = on_machine(patience, [&] { return gates::run_process(spec); });
  throw_if(process.interrupted);
  return process;
}

std::map<std::string, std::string> Worker::program_hashes() const {
  std::map<std::string, std::string> hashes;
  for (const std::string& program : config_.programs)
    hashes[program] = fs::is_regular_file(tree_ / program) ? sha256_of_program(tree_ / program) : absent;
  return hashes;
}

std::string error_line(const std::string& log) {
  std::istringstream lines(log);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos && line.find("Error 1") == std::string::npos) return line;
    if (!line.empty()) last = line;
  }
  return last;
}

// CMake writes `CMake Error at FILE:LINE (COMMAND):`, and what is wrong below it; what follows the first error is mostly its consequence.
std::string configure_error(const std::string& log) {
  std::istringstream lines(log);
  std::string found;
  for (std::string line; std::getline(lines, line);) {
    auto const first = line.find_first_not_of(" \t\r");
    if (found.empty() && line.find("CMake Error") == std::string::npos) continue;
    if (first == std::string::npos) continue;
    if (!found.empty()) return found + " " + line.substr(first);
    found = line;
    if (!found.ends_with(':')) return found;
  }
  return found.empty() ? error_line(log) : found;
}

}  // namespace redproof::mutants
